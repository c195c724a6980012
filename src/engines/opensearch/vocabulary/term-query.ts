import type { JsonObject } from "../../../core/json.js";
import type { End, TermPredicate, TextColumn } from "../../separate-index/overlay/term-predicates.js";
import { IDS_MAX, PREFIX_LENGTH_MAX } from "../documents/term-document.js";
import { nearPrefixes } from "../query/count-near-words.js";

type Of<Kind extends TermPredicate["kind"]> = Extract<TermPredicate, { kind: Kind }>;

/** Expansions of a word are not limited. By default, OpenSearch silently ignores words beyond a limit. */
const WORDS_MAX = 2_147_483_647;
const rewrite = "constant_score";

/** The automaton of a long word with two edits has more states than the default limit. */
const STATES_MAX = 1_000_000;

/** Returns the OpenSearch query of a predicate, for filters without scores. */
export function toQuery(predicate: TermPredicate): JsonObject {
  switch (predicate.kind) {
    case "always":
      return { match_all: {} };
    case "never":
      return { match_none: {} };
    case "all":
      return allQuery(predicate);
    case "any":
      return { bool: { should: predicate.of.map(toQuery) } };
    case "not":
      return { bool: { must_not: [toQuery(predicate.of)] } };
    case "has":
      return hasQuery(predicate);
    case "replaced":
      return { exists: { field: "successor" } };
    case "phrase":
      return phraseQuery(predicate);
    case "pattern":
      return { wildcard: { [predicate.column]: { value: predicate.before + predicate.pattern, rewrite } } };
    case "near":
      return nearQuery(predicate);
    case "between":
      return { range: { [`number.${predicate.path}`]: ends(predicate) } };
    case "keyword":
      return { range: { keyword: ends(predicate) } };
  }
}

function allQuery({ of }: Of<"all">): JsonObject {
  const filter: JsonObject[] = [];
  const negated: JsonObject[] = [];
  for (const predicate of of) {
    if (predicate.kind === "not") negated.push(toQuery(predicate.of));
    else filter.push(toQuery(predicate));
  }
  return { bool: { ...(filter.length > 0 ? { filter } : {}), ...(negated.length > 0 ? { must_not: negated } : {}) } };
}

/** Splits the values, because a query may have at most `IDS_MAX`. */
function hasQuery({ field, values }: Of<"has">): JsonObject {
  const all = [...values];
  if (all.length <= IDS_MAX) return { terms: { [field]: all } };
  const queries: JsonObject[] = [];
  for (let from = 0; from < all.length; from += IDS_MAX) {
    queries.push({ terms: { [field]: all.slice(from, from + IDS_MAX) } });
  }
  return { bool: { should: queries } };
}

function phraseQuery({ column, tokens, isPrefix }: Of<"phrase">): JsonObject {
  const last = tokens.at(-1) ?? "";
  const isIndexedPrefix = isPrefix && column !== "at" && [...last].length <= PREFIX_LENGTH_MAX;
  if (tokens.length > 1) {
    if (isIndexedPrefix) return spanQuery(column, tokens.slice(0, -1), last);
    const query = tokens.join(" ");
    return isPrefix
      ? { match_phrase_prefix: { [column]: { query, max_expansions: WORDS_MAX } } }
      : { match_phrase: { [column]: { query } } };
  }
  if (isIndexedPrefix) return { term: { [`${column}.begin`]: { value: last } } };
  return isPrefix ? { prefix: { [column]: { value: last, rewrite } } } : { term: { [column]: { value: last } } };
}

/** Returns the query of a sequence of tokens and a prefix. Prefixes are tokens of a separate field. */
function spanQuery(column: TextColumn, tokens: readonly string[], last: string): JsonObject {
  const span = (field: string, value: string): JsonObject => ({ span_term: { [field]: { value } } });
  const prefix = { field_masking_span: { query: span(`${column}.begin`, last), field: column } };
  const clauses = [...tokens.map((token) => span(column, token)), prefix];
  return { span_near: { clauses, slop: 0, in_order: true } };
}

function nearQuery({ column, before, word, edits, isPrefix }: Of<"near">): JsonObject {
  if (isPrefix) {
    const value = before + nearPrefixes(word, edits);
    return { regexp: { [column]: { value, flags: "NONE", max_determinized_states: STATES_MAX, rewrite } } };
  }
  const fuzzy = { value: before + word, fuzziness: edits, prefix_length: [...before].length, transpositions: true };
  return { fuzzy: { [column]: { ...fuzzy, rewrite } } };
}

function ends<T extends string | number>({ from, to }: { readonly from?: End<T>; readonly to?: End<T> }): JsonObject {
  return {
    ...(from && { [from.inclusive ? "gte" : "gt"]: from.value }),
    ...(to && { [to.inclusive ? "lte" : "lt"]: to.value }),
  };
}
