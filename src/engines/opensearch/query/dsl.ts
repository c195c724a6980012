/** Queries of OpenSearch as JSON, for records and terms. They filter and do not score. */
import type { Bound, Clause, TextClause } from "../../../query/index-model/clause.js";
import type { TokenRange } from "../documents/index-tokens.js";
import { IDS_MAX } from "../documents/term-document.js";

/** A query in the language of OpenSearch. */
export type IndexQuery = Readonly<Record<string, unknown>>;

/** Query for all documents. */
export const EVERYTHING_QUERY: IndexQuery = { match_all: {} };
/** Query for no document. */
export const NOTHING_QUERY: IndexQuery = { match_none: {} };

/** Returns the intersection of queries. A negation next to other queries costs less than a nested one. */
export function andQueries(queries: readonly IndexQuery[]): IndexQuery {
  const required = queries.filter((query) => query !== EVERYTHING_QUERY);
  if (required.includes(NOTHING_QUERY)) return NOTHING_QUERY;
  if (required.length < 2) return required[0] ?? EVERYTHING_QUERY;
  const filter = required.filter((query) => negatedIn(query) === undefined);
  const negated = required.flatMap((query) => negatedIn(query) ?? []);
  if (negated.length === 0) return { bool: { filter } };
  return { bool: filter.length === 0 ? { must_not: negated } : { filter, must_not: negated } };
}

/** Returns the queries that a query only negates; undefined if it requires anything. */
function negatedIn(query: IndexQuery): readonly IndexQuery[] | undefined {
  const { filter, must_not } = (query.bool ?? {}) as {
    readonly filter?: object;
    readonly must_not?: readonly IndexQuery[];
  };
  return filter === undefined ? must_not : undefined;
}

/**
 * Returns the union of queries. Tokens of one field are joined into one query, because OpenSearch allows only some
 * thousand queries.
 */
export function orQueries(queries: readonly IndexQuery[]): IndexQuery {
  const possible = joinTokens(queries.flatMap(alternativesOf).filter((query) => query !== NOTHING_QUERY));
  if (possible.includes(EVERYTHING_QUERY)) return EVERYTHING_QUERY;
  return possible.length > 1 ? { bool: { should: possible, minimum_should_match: 1 } } : (possible[0] ?? NOTHING_QUERY);
}

/** Returns the parts of a query that `orQueries` made. */
function alternativesOf(query: IndexQuery): readonly IndexQuery[] {
  const { should, filter } = (query.bool ?? {}) as {
    readonly should?: readonly IndexQuery[];
    readonly filter?: object;
  };
  return should === undefined || filter !== undefined ? [query] : should;
}

type Token = string | boolean;

function joinTokens(queries: readonly IndexQuery[]): readonly IndexQuery[] {
  const tokens = new Map<string, Set<Token>>();
  const otherQueries: IndexQuery[] = [];
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

/** Returns the negation of a query. */
export function notQuery(query: IndexQuery): IndexQuery {
  if (query === EVERYTHING_QUERY) return NOTHING_QUERY;
  return query === NOTHING_QUERY ? EVERYTHING_QUERY : { bool: { must_not: [query] } };
}

/** Returns the query for documents with one of the tokens. One query has at most `IDS_MAX` of them. */
export function hasToken(field: string, tokens: readonly Token[]): IndexQuery {
  if (tokens.length === 0) return NOTHING_QUERY;
  if (tokens.length === 1) return { term: { [field]: tokens[0] } };
  if (tokens.length <= IDS_MAX) return { terms: { [field]: tokens } };
  const parts: IndexQuery[] = [];
  for (let from = 0; from < tokens.length; from += IDS_MAX) {
    parts.push(hasToken(field, tokens.slice(from, from + IDS_MAX)));
  }
  return { bool: { should: parts, minimum_should_match: 1 } };
}

/** Returns the query for documents with an element at a depth that matches. */
export const inElement = (depth: number, query: IndexQuery): IndexQuery =>
  query === NOTHING_QUERY ? NOTHING_QUERY : { nested: { path: elementsAt(depth), query, score_mode: "none" } };

/** Returns the name of the nested documents at a depth: `e`, `e.e`, ... */
const elementsAt = (depth: number): string => Array.from({ length: depth }, () => "e").join(".");

/** Returns the name of a field of the record (depth 0) or of its elements. */
export const fieldAt = (depth: number, field: string): string => "e.".repeat(depth) + field;

/** Returns the query for words in one of the fields. @param queryIn see `wordsQuery` */
export function wordsInFields(
  clause: TextClause,
  fields: readonly string[],
  queryIn: (clause: TextClause, field: string) => IndexQuery = wordsQuery,
): IndexQuery {
  return isPossible(clause) ? orQueries(fields.map((field) => queryIn(clause, field))) : NOTHING_QUERY;
}

/**
 * Returns the query for words at one of several paths.
 * @param field of words with their paths
 * @param leads start of the tokens of each path
 */
export function wordsAt(clause: TextClause, field: string, leads: readonly string[]): IndexQuery {
  return isPossible(clause) ? orQueries(leads.map((lead) => wordsQuery(clause, field, lead))) : NOTHING_QUERY;
}

function isPossible(clause: TextClause): boolean {
  switch (clause.kind) {
    case "words":
    case "prefix":
      return clause.words.length > 0 && !clause.words.some(isInvalidWord);
    case "wildcard":
      return !isInvalidWord(clause.pattern.replace(/[*?]/gu, ""));
    case "fuzzy":
      return !isInvalidWord(clause.word);
  }
}

/**
 * Returns whether the word contains characters that analysed words never have: signs of tokens, capitals, or blanks
 * that would split it.
 */
const isInvalidWord = (word: string): boolean => word === "" || /[^0-9a-z\u0080-\u{10ffff}]|\s/u.test(word);

/** Expansions of a word are not limited: OpenSearch would silently ignore the words beyond a limit. */
const ALL_WORDS = 2 ** 31 - 1;

/** Rewrite method of queries for many words: a filter, without a limit of words. */
export const REWRITE = "constant_score";

/** Returns the query for words in one field. @param lead text before each word of the tokens */
export function wordsQuery(clause: TextClause, field: string, lead = ""): IndexQuery {
  switch (clause.kind) {
    case "words":
      return clause.words.length === 1
        ? hasToken(field, [lead + clause.words[0]])
        : { match_phrase: { [field]: { query: phrase(clause.words, lead) } } };
    case "prefix":
      return clause.words.length === 1
        ? { prefix: { [field]: { value: lead + clause.words[0], rewrite: REWRITE } } }
        : { match_phrase_prefix: { [field]: { query: phrase(clause.words, lead), max_expansions: ALL_WORDS } } };
    case "wildcard":
      return { wildcard: { [field]: { value: lead + clause.pattern, rewrite: REWRITE } } };
    case "fuzzy": {
      const { word, edits } = clause;
      const value = lead + word;
      return { fuzzy: { [field]: { value, fuzziness: edits, prefix_length: lead.length, rewrite: REWRITE } } };
    }
  }
}

/** Returns the words as one text. Fields are split at blanks only, and so are queries. */
const phrase = (all: readonly string[], lead: string): string => all.map((word) => lead + word).join(" ");

type RangeBounds = Pick<Extract<Clause, { kind: "range" }>, "from" | "to">;

/** Returns the query for a range of the tokens of values at a path. @param all all tokens at the path */
export function tokenRange(
  { from, to }: RangeBounds,
  field: string,
  all: TokenRange,
  tokenOf: (value: Bound["value"]) => string,
): IndexQuery {
  const lower = from === undefined ? { gte: all.gte } : { [from.inclusive ? "gte" : "gt"]: tokenOf(from.value) };
  const upper = to === undefined ? { lt: all.lt } : { [to.inclusive ? "lte" : "lt"]: tokenOf(to.value) };
  return { range: { [field]: { ...lower, ...upper } } };
}

/** Returns the query for a range of the numbers of a field. JSON has no infinite numbers, and no document has them. */
export function numberRange({ from, to }: RangeBounds, field: string): IndexQuery {
  const [least, most] = [from?.value ?? Number.NEGATIVE_INFINITY, to?.value ?? Number.POSITIVE_INFINITY].map(Number);
  if (least === Number.POSITIVE_INFINITY || most === Number.NEGATIVE_INFINITY) return NOTHING_QUERY;
  const lower = Number.isFinite(least) ? { [from?.inclusive ? "gte" : "gt"]: least } : {};
  const upper = Number.isFinite(most) ? { [to?.inclusive ? "lte" : "lt"]: most } : {};
  const bounds = { ...lower, ...upper };
  return Object.keys(bounds).length === 0 ? { exists: { field } } : { range: { [field]: bounds } };
}
