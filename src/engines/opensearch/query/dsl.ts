/** Queries of OpenSearch, as JSON. Nothing is scored but by `constantScore`. */
export type Query = Readonly<Record<string, unknown>>;

export const EVERYTHING: Query = { match_all: {} };
export const NOTHING: Query = { match_none: {} };

export function allOf(queries: readonly Query[]): Query {
  const needed = queries.filter((query) => query !== EVERYTHING);
  if (needed.includes(NOTHING)) return NOTHING;
  return needed.length > 1 ? { bool: { filter: needed } } : (needed[0] ?? EVERYTHING);
}

/** Tokens of one field become one query: OpenSearch counts queries, and takes some thousand. */
export function anyOf(queries: readonly Query[]): Query {
  const possible = joinTokens(queries.flatMap(alternativesOf).filter((query) => query !== NOTHING));
  if (possible.includes(EVERYTHING)) return EVERYTHING;
  return possible.length > 1 ? { bool: { should: possible, minimum_should_match: 1 } } : (possible[0] ?? NOTHING);
}

/** What `anyOf` has put together already. */
function alternativesOf(query: Query): readonly Query[] {
  const { should, filter } = (query.bool ?? {}) as { readonly should?: readonly Query[]; readonly filter?: object };
  return should === undefined || filter !== undefined ? [query] : should;
}

type Token = string | boolean;

function joinTokens(queries: readonly Query[]): readonly Query[] {
  const tokens = new Map<string, Set<Token>>();
  const others: Query[] = [];
  for (const query of queries) {
    const looked = (query.term ?? query.terms) as Readonly<Record<string, Token | readonly Token[]>> | undefined;
    if (looked === undefined) others.push(query);
    for (const [field, found] of Object.entries(looked ?? {})) {
      const known = tokens.get(field) ?? new Set();
      tokens.set(field, known);
      for (const token of [found].flat()) known.add(token as Token);
    }
  }
  return [...[...tokens].map(([field, all]) => hasToken(field, [...all])), ...others];
}

export function notOf(query: Query): Query {
  if (query === EVERYTHING) return NOTHING;
  return query === NOTHING ? EVERYTHING : { bool: { must_not: [query] } };
}

/** Has one of the tokens. */
export function hasToken(field: string, tokens: readonly Token[]): Query {
  if (tokens.length === 0) return NOTHING;
  return tokens.length === 1 ? { term: { [field]: tokens[0] } } : { terms: { [field]: tokens } };
}

/** The elements at a depth fulfil a query about them. */
export const inElement = (depth: number, query: Query): Query =>
  query === NOTHING ? NOTHING : { nested: { path: elementsAt(depth), query, score_mode: "none" } };

/** The name of the nested documents at a depth: `e`, `e.e`, ... */
const elementsAt = (depth: number): string => Array.from({ length: depth }, () => "e").join(".");

/** The name of a field of the record (depth 0), or of its elements. */
export const fieldAt = (depth: number, field: string): string => "e.".repeat(depth) + field;
