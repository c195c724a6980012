import type { Clause, TextScope } from "../../../query/index-model/clause.js";
import type { TextWeights } from "../../../query/index-model/leaves.js";
import { UNDECLARED, wordToken } from "../../../query/index-model/record-tokens.js";
import { phrase } from "../documents/fts-expression.js";
import type { IndexWords } from "../lexicon/expand-words.js";

/** A clause about words of one value. */
export type TextClause = Extract<Clause, { readonly place: TextScope }>;

/** Holds it what no word of our analysis does: signs of our own tokens, quotes, capitals that FTS5 would fold? */
const isNoWord = (word: string): boolean => word === "" || /[^0-9a-z\u0080-\u{10ffff}]/u.test(word);

/** What the words of all text look for, in any of the columns. */
export function textPhrases(clause: TextClause, words: IndexWords, weights?: TextWeights): readonly string[] {
  return phrases(clause, words, "", weights);
}

/** What the words look for at one path; each is one alternative. */
export function pathPhrases(clause: TextClause, words: IndexWords, p: number): readonly string[] {
  return phrases(clause, words, wordToken(p, ""));
}

/** @param before stands before each word of the tokens */
function phrases(clause: TextClause, words: IndexWords, before: string, weights?: TextWeights): readonly string[] {
  if (clause.kind === "words" || clause.kind === "prefix") {
    if (clause.words.length === 0 || clause.words.some(isNoWord)) return [];
    const tokens = clause.words.map((word) => before + word);
    return [phrase(tokens, clause.kind === "prefix", weights)];
  }
  // Only rows of elements have tokens of undeclared values, and the words that are listed are those of records.
  const listed = before === wordToken(UNDECLARED, "") ? "" : before;
  const tokens = indexTokens(clause, words, listed);
  return tokens.map((token) => phrase([before + token.slice(listed.length)], false, weights));
}

/** FTS5 has neither wildcards inside a word nor typos: the words are taken from the index. */
function indexTokens(
  clause: Extract<Clause, { kind: "wildcard" | "fuzzy" }>,
  words: IndexWords,
  before: string,
): readonly string[] {
  if (clause.kind === "fuzzy") return words.similar(before, clause.word, clause.edits);
  const { pattern } = clause;
  if (isNoWord(pattern.replace(/[*?]/gu, ""))) return [];
  const beginning = pattern.slice(0, pattern.search(/[*?]|$/u));
  return words.expand(before + beginning, pattern.slice(beginning.length));
}
