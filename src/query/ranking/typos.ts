import { LIMITS } from "../../core/limits.js";
import { compareBytes } from "../../core/terms/term-order.js";
import { makeEditTest } from "../text/edit-distance.js";
import type { TypedWord } from "./typed-words.js";

/**
 * Fewer true matches than this, and what has words that begin with those that were typed counts as a match too, always
 * after the true ones; if there are still fewer, what is near to them does, last of all.
 */
export const FORGIVEN_BELOW = 5;

/** Letters from which a word may have one wrong letter, and two. */
const ONE_FROM = 4;
const TWO_FROM = 8;

/** How many edits a word may be away from what was meant. Numbers are meant as they are typed. */
export function typosIn(word: string): 0 | 1 | 2 {
  const letters = word.match(/\p{L}/gu)?.length ?? 0;
  if (letters > LIMITS.typoLettersMax) return 0;
  return letters >= TWO_FROM ? 2 : letters >= ONE_FROM ? 1 : 0;
}

/** Is any of the words long enough to be mistyped? */
export const mayHaveTypos = (typed: readonly TypedWord[]): boolean => typed.some(({ word }) => typosIn(word) > 0);

/** A word of the index that is near to one that is not in it. */
export interface NearWord {
  readonly word: string;
  readonly edits: 1 | 2;
  /** In how many documents it is. */
  readonly documents: number;
}

/** Which of two was more likely meant: fewer edits, then in more documents. */
export function compareNearWords(a: NearWord, b: NearWord): number {
  return a.edits - b.edits || b.documents - a.documents || compareBytes(a.word, b.word);
}

/** Makes a test of words: is it what was typed, or begins so, apart from typos? */
export function makeTypoTest({ word, isPrefix }: TypedWord): (other: string) => boolean {
  const edits = typosIn(word);
  if (edits === 0) return (other) => (isPrefix ? other.startsWith(word) : other === word);
  const test = makeEditTest(word, edits);
  if (!isPrefix) return test;
  return (other) => {
    const letters = [...other];
    return letters.some((_, i) => test(letters.slice(0, i + 1).join("")));
  };
}
