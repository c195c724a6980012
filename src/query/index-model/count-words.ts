import { LIMITS } from "../../core/limits.js";

/** An index takes about as much time and room for so many letters of a long word as for a word. */
const LETTERS_PER_WORD = 32;

/** Returns how many words they count as: what an index takes of a text is limited by it. */
export function countWords(words: readonly string[]): number {
  return words.reduce((count, word) => count + Math.ceil(word.length / LETTERS_PER_WORD), 0);
}

/**
 * Returns how many words the letters of a text count as that no index takes: those of a word beyond
 * LIMITS.wordLengthMax. They are analysed, stored and searched for marks as all others.
 */
export function countCutLetters(text: string): number {
  if (text.length <= LIMITS.wordLengthMax) return 0;
  let count = 0;
  for (const [word] of text.matchAll(LONG_WORD)) {
    count += Math.ceil((word.length - LIMITS.wordLengthMax) / LETTERS_PER_WORD);
  }
  return count;
}

const LONG_WORD = new RegExp(`[\\p{L}\\p{N}\\p{M}]{${LIMITS.wordLengthMax + 1},}`, "gu");
