import { compilePattern } from "../../query/fits-pattern.js";
import type { Db } from "./database.js";
import { type Deadline, ROWS_BETWEEN_CHECKS } from "./deadline.js";
import { makeEditTest } from "./within-edits.js";

/** Finds tokens of the index; each question is asked once per search. */
export interface IndexWords {
  /** All tokens that begin with `beginning` and go on by a pattern of `*` and `?`. */
  expand(beginning: string, rest: string): readonly string[];
  /** All tokens that are `beginning` and then a word within so many edits; all words where it is empty. */
  similar(beginning: string, word: string, edits: 1 | 2): readonly string[];
}

/** Sorts after every character that a token holds. */
const AFTER_ALL = "\u{10ffff}";

/** Where words stand among the tokens: every other kind begins with a sign. */
const WORDS = [
  ["0", ":"],
  ["a", "{"],
  ["\u0080", AFTER_ALL],
] as const;

type Between = readonly [from: string, to: string];

export function makeIndexWords(db: Db, deadline: Deadline): IndexWords {
  const known = new Map<string, readonly string[]>();
  const once = (question: readonly unknown[], answer: () => readonly string[]): readonly string[] => {
    const key = JSON.stringify(question);
    const found = known.get(key) ?? answer();
    known.set(key, found);
    return found;
  };
  const find = (places: readonly Between[], length: number, test: (rest: string) => boolean): string[] =>
    places.flatMap((place) => findBetween(db, deadline, place, (token) => test(token.slice(length))));
  return {
    expand: (beginning, rest) =>
      once([beginning, rest], () => {
        const { test } = compilePattern(rest);
        return find([[beginning, beginning + AFTER_ALL]], beginning.length, test);
      }),
    similar: (beginning, word, edits) =>
      once([beginning, word, edits], () => {
        const places: readonly Between[] = beginning === "" ? WORDS : [[beginning, beginning + AFTER_ALL]];
        return find(places, beginning.length, makeEditTest(word, edits));
      }),
  };
}

function findBetween(db: Db, deadline: Deadline, [from, to]: Between, test: (token: string) => boolean): string[] {
  const tokens = db.sql<string>("SELECT term FROM leaf_word WHERE term >= ? AND term < ?").pluck();
  const found: string[] = [];
  let seen = 0;
  for (const token of tokens.iterate(from, to)) {
    if (++seen % ROWS_BETWEEN_CHECKS === 0) deadline.check();
    if (test(token)) found.push(token);
  }
  return found;
}
