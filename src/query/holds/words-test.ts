import type { Clause, TextScope } from "../index-model/clause.js";
import { makeEditTest } from "../text/edit-distance.js";
import { compilePattern } from "../text/fits-pattern.js";

type TextClause = Extract<Clause, { place: TextScope }>;

/** Compiles what a clause asks of the words of one value. */
export function compileWords(clause: TextClause): (words: readonly string[]) => boolean {
  switch (clause.kind) {
    case "words":
      return (words) => hasRow(words, clause.words, (word, wanted) => word === wanted);
    case "prefix":
      return (words) => hasRow(words, clause.words, (word, wanted) => word.startsWith(wanted));
    case "wildcard": {
      const pattern = compilePattern(clause.pattern);
      return (words) => words.some((word) => pattern.test(word));
    }
    case "fuzzy": {
      const isNear = makeEditTest(clause.word, clause.edits);
      return (words) => words.some((word) => isNear(word));
    }
  }
}

/** Do the words stand somewhere in a row, the last one so that it fits? */
function hasRow(
  words: readonly string[],
  wanted: readonly string[],
  fits: (word: string, wanted: string) => boolean,
): boolean {
  const end = wanted.length - 1;
  for (let first = 0; first + end < words.length; first++) {
    if (!fits(words[first + end]!, wanted[end]!)) continue;
    let at = 0;
    while (at < end && words[first + at] === wanted[at]) at++;
    if (at === end) return true;
  }
  return false;
}
