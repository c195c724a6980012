import type { Clause } from "../../../query/clause.js";
import { compilePattern } from "../../../query/fits-pattern.js";
import { ROWS_BETWEEN_CHECKS } from "../deadline.js";
import { makeEditTest } from "../within-edits.js";
import { matchAny, type TextColumns } from "./match-words.js";
import { type RowSet, unsortedSet } from "./row-set.js";
import { matchRows, type SearchContext } from "./term-search.js";
import { AFTER_SIGNS, BEFORE_SIGNS, pathToken } from "./tokens.js";

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
  const tokens = likeTokens(context, clause, table, before);
  const found: number[] = [];
  for (let from = 0; from < tokens.length; from += WORDS_AT_ONCE) {
    context.checkTime(clause);
    const some = tokens.slice(from, from + WORDS_AT_ONCE);
    for (const row of matchRows(context, table, matchAny(some, columns), clause)) found.push(row);
  }
  return found;
}

/** Sorts after every character that a token holds. */
const AFTER_ALL = "\u{10ffff}";

function likeTokens(context: SearchContext, clause: Similar, table: string, before: string): string[] {
  const head = clause.kind === "wildcard" ? /^[^*?]*/u.exec(clause.pattern)![0] : "";
  const beginning = before + head;
  const test =
    clause.kind === "wildcard"
      ? compilePattern(clause.pattern.slice(head.length)).test
      : makeEditTest(clause.word, clause.edits);
  const places =
    beginning === ""
      ? [
          ["", BEFORE_SIGNS],
          [AFTER_SIGNS, AFTER_ALL],
        ]
      : [[beginning, beginning + AFTER_ALL]];
  const statement = context.generation
    .sql<string>(`SELECT term FROM ${table}_word_$g WHERE term >= ? AND term < ?`)
    .pluck();
  const tokens: string[] = [];
  let seen = 0;
  for (const place of places) {
    for (const token of statement.iterate(...place)) {
      if (++seen % ROWS_BETWEEN_CHECKS === 0) context.checkTime(clause);
      if (test(token.slice(beginning.length))) tokens.push(token);
    }
  }
  return tokens;
}
