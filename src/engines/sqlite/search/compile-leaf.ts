import type { Clause, TextScope } from "../../../query/index-model/clause.js";
import type { TextWeights } from "../../../query/index-model/leaves.js";
import { wordToken } from "../../../query/index-model/record-tokens.js";
import { phrase } from "../documents/fts-expression.js";
import type { ExpandWords } from "../lexicon/expand-words.js";

/** A clause about words of one value. */
export type TextClause = Extract<Clause, { readonly place: TextScope }>;

/** Holds it what no word of our analysis does: signs of our own tokens, quotes, capitals that FTS5 would fold? */
const isNoWord = (word: string): boolean => word === "" || /[^0-9a-z\u0080-\u{10ffff}]/u.test(word);

/** What the words of all text look for, in any of the columns. */
export function textPhrases(clause: TextClause, expand: ExpandWords, weights?: TextWeights): readonly string[] {
  return phrases(clause, expand, "", weights);
}

/** What the words look for at one path; each is one alternative. */
export function pathPhrases(clause: TextClause, expand: ExpandWords, p: number): readonly string[] {
  return phrases(clause, expand, wordToken(p, ""));
}

/** @param before stands before each word of the tokens */
function phrases(clause: TextClause, expand: ExpandWords, before: string, weights?: TextWeights): readonly string[] {
  if (clause.kind === "words" || clause.kind === "prefix") {
    if (clause.words.length === 0 || clause.words.some(isNoWord)) return [];
    const tokens = clause.words.map((word) => before + word);
    return [phrase(tokens, clause.kind === "prefix", weights)];
  }
  if (clause.kind === "wildcard" && isNoWord(clause.pattern.replace(/[*?]/gu, ""))) return [];
  return expand(clause).map((word) => phrase([before + word], false, weights));
}
