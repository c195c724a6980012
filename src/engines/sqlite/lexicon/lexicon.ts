import { compareBytes } from "../../../core/terms/static-rank.js";
import type { LruCache } from "../cache/lru-cache.js";
import { atOnce, type Slowly } from "../cache/slow-parts.js";
import { makeWordList, type Similarity, type WordList } from "./sorted-words.js";

/** The words of an index as they are in the open transaction; some may be in no row any more. */
export interface Words {
  /** Those within so many edits, each once. */
  similar(wanted: Similarity): string[];
  /** The shortest beginnings of words within so many edits; one may begin another. */
  similarBeginnings(wanted: Similarity): string[];
  /** Those that begin so and go on as the test says, each once. */
  beginning(beginning: string, test: (rest: string) => boolean): string[];
}

/** Words in one list or in several. */
export function wordsIn(lists: () => Iterable<Words>): Words {
  const all = (find: (list: Words) => string[]): string[] => {
    const found = new Set<string>();
    for (const list of lists()) for (const word of find(list)) found.add(word);
    return [...found];
  };
  return {
    similar: (wanted) => all((list) => list.similar(wanted)),
    similarBeginnings: (wanted) => all((list) => list.similarBeginnings(wanted)),
    beginning: (beginning, test) => all((list) => list.beginning(beginning, test)),
  };
}

/** What a word in a list of found ones takes. */
const WORD_BYTES = 100;

/**
 * Words that never change, and what was near to others: a ranking asks for it in each of its steps, and whoever types
 * asks again with each letter.
 * @param name of these words, in keys of the cache
 */
export function keepNear(words: Words, name: string, cache: LruCache, slowly: Slowly = atOnce): Words {
  const near = (lookUp: "similar" | "similarBeginnings", wanted: Similarity): string[] => {
    const key = `${name} ${lookUp} ${wanted.word} ${wanted.edits}`;
    const known = cache.get<string[]>(key);
    if (known !== undefined) return known;
    const found = slowly(key, function* () {
      yield;
      return words[lookUp](wanted);
    });
    cache.set(key, found, found.length * WORD_BYTES);
    return found;
  };
  return {
    similar: (wanted) => near("similar", wanted),
    similarBeginnings: (wanted) => near("similarBeginnings", wanted),
    beginning: (beginning, test) => words.beginning(beginning, test),
  };
}

/** A list of words in any order. */
export const listOfAny = (words: Iterable<string>): WordList => makeWordList([[...words].sort(compareBytes).join(" ")]);
