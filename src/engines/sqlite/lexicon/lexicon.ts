import { compareBytes } from "../../../core/terms/static-rank.js";
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
export function wordsIn(lists: () => Iterable<WordList>): Words {
  const all = (find: (list: WordList) => string[]): string[] => {
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

/** A list of words in any order. */
export const listOfAny = (words: Iterable<string>): WordList => makeWordList([[...words].sort(compareBytes).join(" ")]);
