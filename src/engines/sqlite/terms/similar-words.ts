import type { Clause } from "../../../query/clause.js";
import { compilePattern } from "../fits-pattern.js";
import { matchAny, type TextColumns } from "./match-words.js";
import { type RowSet, unsortedSet } from "./row-set.js";
import { matchRows, type SearchContext } from "./term-search.js";
import { termWords } from "./term-words.js";
import { pathToken } from "./tokens.js";

/** A clause whose words are taken from the index: FTS5 has neither wildcards inside a word nor typos. */
type Similar = Extract<Clause, { kind: "wildcard" | "fuzzy" }>;

/** Words that one expression asks for; more are asked for in several. */
const WORDS_AT_ONCE = 200;

/** The rows with a word that is like the pattern, or near enough to the word. */
export function similarRows(context: SearchContext, clause: Similar, columns: TextColumns): RowSet {
  const { place } = clause;
  if (place.in === "text") return unsortedSet(rowsIn(context, clause, "term_fts", "", columns));
  return unsortedSet(place.paths.flatMap((path) => rowsIn(context, clause, "term_at", pathToken(path, ""), "all")));
}

/** @param before stands before each word of the table's tokens */
function rowsIn(
  context: SearchContext,
  clause: Similar,
  table: "term_fts" | "term_at",
  before: string,
  columns: TextColumns,
): number[] {
  const tokens = likeTokens(context, clause, before);
  const found: number[] = [];
  for (let from = 0; from < tokens.length; from += WORDS_AT_ONCE) {
    context.checkTime(clause);
    const some = tokens.slice(from, from + WORDS_AT_ONCE);
    for (const row of matchRows(context, table, matchAny(some, columns), clause)) found.push(row);
  }
  return found;
}

/** Tokens of words that are like the pattern, or near enough to the word; some may be in no row. */
function likeTokens({ generation, vocabulary, memory }: SearchContext, clause: Similar, before: string): string[] {
  const words = termWords(generation, vocabulary, memory);
  if (clause.kind === "fuzzy") return words.similar(clause).map((word) => before + word);
  const head = /^[^*?]*/u.exec(clause.pattern)![0];
  const { test } = compilePattern(clause.pattern.slice(head.length));
  return words.beginning(head, test).map((word) => before + word);
}
