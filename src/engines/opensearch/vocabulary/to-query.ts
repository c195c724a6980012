import type { JsonObject } from "../../../core/json.js";
import type { TextColumn } from "../documents/term-document.js";
import { IDS_MAX, PREFIX_LENGTH_MAX } from "../documents/term-mapping.js";
import { nearPrefixes } from "../query/count-near-words.js";
import type { DocumentTest, End } from "./document-test.js";

type Of<Kind extends DocumentTest["kind"]> = Extract<DocumentTest, { kind: Kind }>;

/**
 * Every word that fits counts, however many there are: what OpenSearch does by itself ends in silence after so many.
 */
const WORDS_MAX = 2_147_483_647;
const rewrite = "constant_score";

/** The automaton of a long word with two edits has more states than are allowed otherwise. */
const STATES_MAX = 1_000_000;

/** A test as a query of OpenSearch, for where nothing is scored. */
export function toQuery(test: DocumentTest): JsonObject {
  switch (test.kind) {
    case "always":
      return { match_all: {} };
    case "never":
      return { match_none: {} };
    case "all":
      return allQuery(test);
    case "any":
      return { bool: { should: test.of.map(toQuery) } };
    case "not":
      return { bool: { must_not: [toQuery(test.of)] } };
    case "has":
      return hasQuery(test);
    case "replaced":
      return { exists: { field: "successor" } };
    case "phrase":
      return phraseQuery(test);
    case "pattern":
      return { wildcard: { [test.column]: { value: test.before + test.pattern, rewrite } } };
    case "near":
      return nearQuery(test);
    case "between":
      return { range: { [`number.${test.path}`]: ends(test) } };
    case "keyword":
      return { range: { keyword: ends(test) } };
  }
}

function allQuery({ of }: Of<"all">): JsonObject {
  const filter: JsonObject[] = [];
  const without: JsonObject[] = [];
  for (const test of of) {
    if (test.kind === "not") without.push(toQuery(test.of));
    else filter.push(toQuery(test));
  }
  return { bool: { ...(filter.length > 0 ? { filter } : {}), ...(without.length > 0 ? { must_not: without } : {}) } };
}

/** One query names so many values at most. */
function hasQuery({ field, values }: Of<"has">): JsonObject {
  const all = [...values];
  if (all.length <= IDS_MAX) return { terms: { [field]: all } };
  const several: JsonObject[] = [];
  for (let from = 0; from < all.length; from += IDS_MAX) {
    several.push({ terms: { [field]: all.slice(from, from + IDS_MAX) } });
  }
  return { bool: { should: several } };
}

function phraseQuery({ column, tokens, isPrefix }: Of<"phrase">): JsonObject {
  const last = tokens.at(-1) ?? "";
  const isBeginning = isPrefix && column !== "at" && [...last].length <= PREFIX_LENGTH_MAX;
  if (tokens.length > 1) {
    if (isBeginning) return spanQuery(column, tokens.slice(0, -1), last);
    const query = tokens.join(" ");
    return isPrefix
      ? { match_phrase_prefix: { [column]: { query, max_expansions: WORDS_MAX } } }
      : { match_phrase: { [column]: { query } } };
  }
  if (isBeginning) return { term: { [`${column}.begin`]: { value: last } } };
  return isPrefix ? { prefix: { [column]: { value: last, rewrite } } } : { term: { [column]: { value: last } } };
}

/** Tokens in a row, and then the beginning of one, which is a token of its own in the same place. */
function spanQuery(column: TextColumn, tokens: readonly string[], last: string): JsonObject {
  const span = (field: string, value: string): JsonObject => ({ span_term: { [field]: { value } } });
  const begins = { field_masking_span: { query: span(`${column}.begin`, last), field: column } };
  const clauses = [...tokens.map((token) => span(column, token)), begins];
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
