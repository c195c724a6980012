import { addAll } from "../../core/collections.js";
import { LIMITS } from "../../core/limits.js";
import { compareBytes } from "../../core/terms/term-order.js";
import { type Clause, phraseClause } from "../index-model/clause.js";
import { analyse, isUnspaced } from "../text/analyse.js";
import { makeEditTest } from "../text/edit-distance.js";
import { prefixWords } from "../text/pattern.js";
import { dropInvisible } from "../text/positions.js";

/** A word of a typed text: whole, or a prefix (the last word, and initials). */
export interface TypedWord {
  readonly word: string;
  readonly isPrefix: boolean;
}

/** Typed text, prepared for suggestions. */
export interface TypedText {
  readonly words: readonly TypedWord[];
  readonly clause: Clause;
  /** The words before the first initial, with which a title must begin. */
  readonly start: readonly TypedWord[];
  readonly hasInitials: boolean;
  /** The text with every word as a prefix (`techn univ mun`). Absent if this makes no difference. */
  readonly beginnings?: Beginnings | undefined;
}

/** Words that may be prefixes, in any order. */
export interface Beginnings {
  readonly words: readonly TypedWord[];
  readonly clause: Clause;
}

/** Letter that may be an initial before another word. In other scripts, a single letter may be a whole name. */
const INITIAL = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]$/u;

/**
 * Reads a typed text, in which no sign is an operator. Each piece between blanks is a phrase, and the last word of the
 * text is a prefix. A single letter before another word is an initial (`S. cerevisiae`, `S.cerevisiae`).
 */
export function readTypedText(text: string): TypedText {
  const pieces = dropInvisible(text)
    .split(/\s+/u)
    .filter((piece) => analyse(piece).length > 0);
  const words: TypedWord[] = [];
  const clauses: Clause[] = [];
  let start: TypedWord[] | undefined;
  for (const [i, piece] of pieces.entries()) {
    const isLast = i === pieces.length - 1;
    const [first = "", ...rest] = isLast ? prefixWords(piece) : analyse(piece);
    const isInitial = INITIAL.test(first) && (rest.length > 0 || !isLast);
    if (isInitial) {
      start ??= [...words];
      clauses.push(phrase([first], true));
    }
    const row = isInitial ? rest : [first, ...rest];
    if (row.length > 0) clauses.push(phrase(row, isLast));
    words.push({ word: first, isPrefix: isInitial || (isLast && rest.length === 0) });
    addAll(
      words,
      rest.map((word, j) => ({ word, isPrefix: isLast && j === rest.length - 1 })),
    );
  }
  const clause: Clause = clauses.length > 1 ? { kind: "all", of: clauses } : (clauses[0] ?? { kind: "nothing" });
  const hasInitials = start !== undefined;
  // If the text begins with an initial, a title must begin with its letter.
  const titleStart = start === undefined ? words : start.length > 0 ? start : words.slice(0, 1);
  const beginnings = readBeginnings(words);
  return { words, clause, start: titleStart, hasInitials, beginnings };
}

/** Returns whether a word may be a prefix. Numbers and ideographs are always whole words. */
const mayBePrefix = (word: string): boolean => /\p{L}/u.test(word) && !isUnspaced(word);

function readBeginnings(words: readonly TypedWord[]): Beginnings | undefined {
  const prefixes = words.map(({ word, isPrefix }) => ({ word, isPrefix: isPrefix || mayBePrefix(word) }));
  if (prefixes.every(({ isPrefix }, i) => isPrefix === words[i]!.isPrefix)) return undefined;
  const clauses = prefixes.map(({ word, isPrefix }) => phrase([word], isPrefix));
  return { words: prefixes, clause: { kind: "all", of: clauses } };
}

function phrase(words: readonly string[], isPrefix: boolean): Clause {
  return phraseClause(words, { in: "text" }, isPrefix ? "prefix" : "words");
}

/**
 * Number of exact matches below which suggestions also include terms with words that begin with the typed words, after
 * the exact matches. If there are still fewer, they include terms with similar words, last.
 */
export const EXACT_MATCHES_MIN = 5;

/** Minimum numbers of letters of a word with one typo and with two typos. */
const ONE_TYPO_LETTERS_MIN = 4;
const TWO_TYPOS_LETTERS_MIN = 8;

/** Returns the maximum number of typos in a word. Numbers have none. */
export function typosMax(word: string): 0 | 1 | 2 {
  const letters = word.match(/\p{L}/gu)?.length ?? 0;
  if (letters > LIMITS.typoLettersMax) return 0;
  return letters >= TWO_TYPOS_LETTERS_MIN ? 2 : letters >= ONE_TYPO_LETTERS_MIN ? 1 : 0;
}

/** Returns whether any of the words is long enough for a typo. */
export const mayHaveTypos = (typed: readonly TypedWord[]): boolean => typed.some(({ word }) => typosMax(word) > 0);

/** A word of the index that is similar to a word that is not in it. */
export interface NearWord {
  readonly word: string;
  readonly edits: 1 | 2;
  /** Number of documents with the word. */
  readonly documents: number;
}

/** Compares words by likelihood: fewer edits first, then more documents. */
export function compareNearWords(a: NearWord, b: NearWord): number {
  return a.edits - b.edits || b.documents - a.documents || compareBytes(a.word, b.word);
}

/** Makes a function that tests whether a word equals the typed word or begins with a typed prefix, with typos. */
export function makeTypoTest({ word, isPrefix }: TypedWord): (other: string) => boolean {
  const edits = typosMax(word);
  if (edits === 0) return (other) => (isPrefix ? other.startsWith(word) : other === word);
  const test = makeEditTest(word, edits);
  if (!isPrefix) return test;
  // Longer prefixes cannot be near, and words may have hundreds of letters.
  const lengthMax = [...word].length + edits;
  return (other) => {
    const letters = [...other].slice(0, lengthMax);
    return letters.some((_, i) => test(letters.slice(0, i + 1).join("")));
  };
}
