/** Queries of OpenSearch as JSON. Only `constantScore` scores. */
export type Query = Readonly<Record<string, unknown>>;

export const EVERYTHING: Query = { match_all: {} };
export const NOTHING: Query = { match_none: {} };

export function allOf(queries: readonly Query[]): Query {
  const required = queries.filter((query) => query !== EVERYTHING);
  if (required.includes(NOTHING)) return NOTHING;
  return required.length > 1 ? { bool: { filter: required } } : (required[0] ?? EVERYTHING);
}

/**
 * Returns the union of queries. Tokens of one field are joined into one query, because OpenSearch allows only some
 * thousand queries.
 */
export function anyOf(queries: readonly Query[]): Query {
  const possible = joinTokens(queries.flatMap(alternativesOf).filter((query) => query !== NOTHING));
  if (possible.includes(EVERYTHING)) return EVERYTHING;
  return possible.length > 1 ? { bool: { should: possible, minimum_should_match: 1 } } : (possible[0] ?? NOTHING);
}

/** Returns the parts of a query that `anyOf` made. */
function alternativesOf(query: Query): readonly Query[] {
  const { should, filter } = (query.bool ?? {}) as { readonly should?: readonly Query[]; readonly filter?: object };
  return should === undefined || filter !== undefined ? [query] : should;
}

type Token = string | boolean;

function joinTokens(queries: readonly Query[]): readonly Query[] {
  const tokens = new Map<string, Set<Token>>();
  const otherQueries: Query[] = [];
  for (const query of queries) {
    const tokensByField = (query.term ?? query.terms) as Readonly<Record<string, Token | readonly Token[]>> | undefined;
    if (tokensByField === undefined) otherQueries.push(query);
    for (const [field, fieldTokens] of Object.entries(tokensByField ?? {})) {
      const knownTokens = tokens.get(field) ?? new Set();
      tokens.set(field, knownTokens);
      for (const token of [fieldTokens].flat()) knownTokens.add(token as Token);
    }
  }
  return [...[...tokens].map(([field, fieldTokenSet]) => hasToken(field, [...fieldTokenSet])), ...otherQueries];
}

export function notOf(query: Query): Query {
  if (query === EVERYTHING) return NOTHING;
  return query === NOTHING ? EVERYTHING : { bool: { must_not: [query] } };
}

/** Returns the query for documents with one of the tokens. */
export function hasToken(field: string, tokens: readonly Token[]): Query {
  if (tokens.length === 0) return NOTHING;
  return tokens.length === 1 ? { term: { [field]: tokens[0] } } : { terms: { [field]: tokens } };
}

/** Returns the query for documents with an element at a depth that matches. */
export const inElement = (depth: number, query: Query): Query =>
  query === NOTHING ? NOTHING : { nested: { path: elementsAt(depth), query, score_mode: "none" } };

/** Returns the name of the nested documents at a depth: `e`, `e.e`, ... */
const elementsAt = (depth: number): string => Array.from({ length: depth }, () => "e").join(".");

/** Returns the name of a field of the record (depth 0) or of its elements. */
export const fieldAt = (depth: number, field: string): string => "e.".repeat(depth) + field;
