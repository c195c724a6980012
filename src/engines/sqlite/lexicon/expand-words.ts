import { splitWordToken } from "../../../query/index-model/record-tokens.js";
import { compilePattern } from "../../../query/text/fits-pattern.js";
import type { LruCache } from "../cache/lru-cache.js";
import type { Db } from "../connection/database.js";
import type { Deadline } from "../connection/deadline.js";
import { recordWords } from "./record-lexicon.js";

/** Finds tokens of the index; each question is asked once per search. A token may be in no row. */
export interface IndexWords {
  /** All tokens that begin with `beginning` and go on by a pattern of `*` and `?`. */
  expand(beginning: string, rest: string): readonly string[];
  /** All tokens that are `beginning` and then a word within so many edits; all words where it is empty. */
  similar(beginning: string, word: string, edits: 1 | 2): readonly string[];
}

/** @param memory keeps the list of words, if it fits */
export function makeIndexWords(db: Db, deadline: Deadline, cache: LruCache): IndexWords {
  const known = new Map<string, readonly string[]>();
  const once = (question: readonly unknown[], answer: () => readonly string[]): readonly string[] => {
    const key = JSON.stringify(question);
    const found = known.get(key) ?? answer();
    known.set(key, found);
    return found;
  };
  const behind = (before: string, words: readonly string[]): readonly string[] =>
    before === "" ? words : words.map((word) => before + word);
  return {
    expand: (beginning, rest) => {
      const [before, head] = splitWordToken(beginning);
      const words = once(["expand", head, rest], () => {
        const { test } = compilePattern(rest);
        return recordWords(db, cache, deadline).beginning(head, test);
      });
      return behind(before, words);
    },
    similar: (beginning, word, edits) => {
      const words = once(["similar", word, edits], () => recordWords(db, cache, deadline).similar({ word, edits }));
      return behind(beginning, words);
    },
  };
}
