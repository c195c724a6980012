import type { Cache } from "../../../core/caches.js";
import { compareBytes } from "../../../core/terms/term-order.js";
import type { Clause } from "../../../query/index-model/clause.js";
import { compilePattern } from "../../../query/text/pattern.js";
import { type Build, buildAtOnce } from "../cache/missing-parts.js";
import { makeWordList, type Similarity, type WordList } from "./sorted-words.js";

/** The words of an index as the open transaction sees them; some may be in no row any more. */
export interface Words {
  /** Returns the words within the edit distance, each once. */
  similar(similarity: Similarity): string[];
  /** Returns the shortest prefixes of words within the edit distance; one may be a prefix of another. */
  similarBeginnings(similarity: Similarity): string[];
  /** Returns the words with the prefix whose rest passes the test, each once. */
  beginning(beginning: string, test: (rest: string) => boolean): string[];
}

/** Combines several word lists. */
export function wordsIn(lists: () => Iterable<Words>): Words {
  const collect = (find: (list: Words) => string[]): string[] => {
    const foundWords = new Set<string>();
    for (const list of lists()) for (const word of find(list)) foundWords.add(word);
    return [...foundWords];
  };
  return {
    similar: (similarity) => collect((list) => list.similar(similarity)),
    similarBeginnings: (similarity) => collect((list) => list.similarBeginnings(similarity)),
    beginning: (beginning, test) => collect((list) => list.beginning(beginning, test)),
  };
}

/** Estimated bytes of a word in a list. */
const WORD_BYTES = 100;

/**
 * Caches similar words of an immutable list: a ranking looks them up in each step, and an input field with each letter.
 * @param name of the words, for cache keys
 */
export function cacheSimilar(words: Words, name: string, cache: Cache, build: Build = buildAtOnce): Words {
  const lookUpSimilar = (lookUp: "similar" | "similarBeginnings", similarity: Similarity): string[] => {
    const key = `${name} ${lookUp} ${similarity.word} ${similarity.edits}`;
    const cached = cache.get<string[]>(key);
    if (cached !== undefined) return cached;
    const foundWords = build(key, function* () {
      yield;
      return words[lookUp](similarity);
    });
    cache.set(key, foundWords, foundWords.length * WORD_BYTES);
    return foundWords;
  };
  return {
    similar: (similarity) => lookUpSimilar("similar", similarity),
    similarBeginnings: (similarity) => lookUpSimilar("similarBeginnings", similarity),
    beginning: (beginning, test) => words.beginning(beginning, test),
  };
}

/** Makes a list of unsorted words. */
export const makeUnsortedList = (words: Iterable<string>): WordList =>
  makeWordList([[...words].sort(compareBytes).join(" ")]);

/** A clause that is replaced by words of the index, because FTS5 supports neither wildcards inside a word nor typos. */
export type ExpandedClause = Extract<Clause, { kind: "wildcard" | "fuzzy" }>;

/** Returns the words of the index that match the clause; some may be in no row any more. */
export type ExpandWords = (clause: ExpandedClause) => readonly string[];

/** Makes a function that looks up the words of each clause once. */
export function makeExpandWords(words: () => Words): ExpandWords {
  const wordsByClause = new Map<string, readonly string[]>();
  return (clause) => {
    const clauseKey = clause.kind === "fuzzy" ? `${clause.word} ${clause.edits}` : clause.pattern;
    const matchingWords = wordsByClause.get(clauseKey) ?? expandWords(words(), clause);
    wordsByClause.set(clauseKey, matchingWords);
    return matchingWords;
  };
}

function expandWords(words: Words, clause: ExpandedClause): readonly string[] {
  if (clause.kind === "fuzzy") return words.similar(clause);
  const prefix = /^[^*?]*/u.exec(clause.pattern)![0];
  const { test } = compilePattern(clause.pattern.slice(prefix.length));
  return words.beginning(prefix, test);
}
