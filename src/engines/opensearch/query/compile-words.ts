import type { Clause, TextScope } from "../../../query/index-model/clause.js";
import { wordToken } from "../documents/index-tokens.js";
import { anyOf, hasToken, NOTHING, type Query } from "./dsl.js";

/** A clause about words of one value. */
export type TextClause = Extract<Clause, { readonly place: TextScope }>;

/** Holds it what no word of our analysis does: signs of our own tokens, capitals, blanks that would split it? */
const isNoWord = (word: string): boolean => word === "" || /[^0-9a-z\u0080-\u{10ffff}]|\s/u.test(word);

/** The words stand in one of the fields. */
export function wordsIn(clause: TextClause, fields: readonly string[]): Query {
  return isPossible(clause) ? anyOf(fields.map((field) => words(clause, field, ""))) : NOTHING;
}

/**
 * The words stand at one of the paths.
 * @param field of words with their paths
 * @param paths as tokens have them
 */
export function wordsAt(clause: TextClause, field: string, paths: readonly string[]): Query {
  if (!isPossible(clause)) return NOTHING;
  const [word, ...more] = clause.kind === "words" ? clause.words : [];
  if (word !== undefined && more.length === 0) {
    return hasToken(
      field,
      paths.map((p) => wordToken(p, word)),
    );
  }
  return anyOf(paths.map((p) => words(clause, field, wordToken(p, ""))));
}

function isPossible(clause: TextClause): boolean {
  switch (clause.kind) {
    case "words":
    case "prefix":
      return clause.words.length > 0 && !clause.words.some(isNoWord);
    case "wildcard":
      return !isNoWord(clause.pattern.replace(/[*?]/gu, ""));
    case "fuzzy":
      return !isNoWord(clause.word);
  }
}

/** More than a vocabulary has words: with fewer it would be cut in silence. */
const ALL_WORDS = 2 ** 31 - 1;

/** @param before stands before each word of the tokens */
function words(clause: TextClause, field: string, before: string): Query {
  const rewrite = "constant_score";
  switch (clause.kind) {
    case "words":
      return clause.words.length === 1
        ? hasToken(field, [before + clause.words[0]])
        : { match_phrase: { [field]: { query: phrase(clause.words, before) } } };
    case "prefix":
      return clause.words.length === 1
        ? { prefix: { [field]: { value: before + clause.words[0], rewrite } } }
        : { match_phrase_prefix: { [field]: { query: phrase(clause.words, before), max_expansions: ALL_WORDS } } };
    case "wildcard":
      return { wildcard: { [field]: { value: before + clause.pattern, rewrite } } };
    case "fuzzy": {
      const { word, edits } = clause;
      const value = before + word;
      return { fuzzy: { [field]: { value, fuzziness: edits, prefix_length: before.length, rewrite } } };
    }
  }
}

/** The fields split at blanks only, and so do questions about them. */
const phrase = (all: readonly string[], before: string): string => all.map((word) => before + word).join(" ");
