import { addAll } from "../../core/collections.js";
import type { Clause } from "../index-model/clause.js";
import { rowOfWords } from "../index-model/clauses.js";
import { analyse, isUnspaced } from "../text/analyse.js";
import { dropInvisible } from "../text/invisible.js";
import { prefixWords } from "../text/pattern.js";

/** A word as somebody types it: whole, or the beginning of one (the last word, and initials). */
export interface TypedWord {
  readonly word: string;
  readonly isPrefix: boolean;
}

/** Text as somebody types it, read for suggestions. */
export interface Typed {
  readonly words: readonly TypedWord[];
  readonly clause: Clause;
  /** The words before the first initial: what a title has to begin with, in a row. */
  readonly start: readonly TypedWord[];
  readonly hasInitials: boolean;
  /** The same with every word as the beginning of one (`techn univ mun`); absent where that says nothing else. */
  readonly beginnings?: Beginnings;
}

/** Words of which each may be cut short, in any order. */
export interface Beginnings {
  readonly words: readonly TypedWord[];
  readonly clause: Clause;
}

/** Where names are written in letters, a single one before another word may be an initial. */
const INITIAL = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u;

/**
 * Reads raw text: no sign is an operator. What stands between blanks is a phrase, its last word in the whole text a
 * prefix; a single letter before another word is an initial (`S. cerevisiae`, `S.cerevisiae`).
 */
export function readTyped(text: string): Typed {
  const pieces = dropInvisible(text)
    .split(/\s+/u)
    .filter((piece) => analyse(piece).length > 0);
  const words: TypedWord[] = [];
  const clauses: Clause[] = [];
  let start: TypedWord[] | undefined;
  for (const [i, piece] of pieces.entries()) {
    const isLast = i === pieces.length - 1;
    const [first = "", ...others] = isLast ? prefixWords(piece) : analyse(piece);
    const isInitial = INITIAL.test(first) && (others.length > 0 || !isLast);
    if (isInitial) {
      start ??= [...words];
      clauses.push(phrase([first], true));
    }
    const row = isInitial ? others : [first, ...others];
    if (row.length > 0) clauses.push(phrase(row, isLast));
    words.push({ word: first, isPrefix: isInitial || (isLast && others.length === 0) });
    addAll(
      words,
      others.map((word, j) => ({ word, isPrefix: isLast && j === others.length - 1 })),
    );
  }
  const clause: Clause = clauses.length > 1 ? { kind: "all", of: clauses } : (clauses[0] ?? { kind: "nothing" });
  const hasInitials = start !== undefined;
  // A title that begins with an initial's letter begins as the text does.
  const begin = start === undefined ? words : start.length > 0 ? start : words.slice(0, 1);
  const beginnings = readBeginnings(words);
  return { words, clause, start: begin, hasInitials, ...(beginnings === undefined ? {} : { beginnings }) };
}

/** Numbers are meant as they are typed, and so are characters that are words by themselves. */
const mayBeCut = (word: string): boolean => /\p{L}/u.test(word) && !isUnspaced(word);

function readBeginnings(words: readonly TypedWord[]): Beginnings | undefined {
  const cut = words.map(({ word, isPrefix }) => ({ word, isPrefix: isPrefix || mayBeCut(word) }));
  if (cut.every(({ isPrefix }, i) => isPrefix === words[i]!.isPrefix)) return undefined;
  return { words: cut, clause: { kind: "all", of: cut.map(({ word, isPrefix }) => phrase([word], isPrefix)) } };
}

function phrase(words: readonly string[], isPrefix: boolean): Clause {
  return rowOfWords(words, { in: "text" }, isPrefix ? "prefix" : "words");
}
