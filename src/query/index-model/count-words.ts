/** An index takes about as much time and room for so many letters of a long word as for a word. */
const LETTERS_PER_WORD = 32;

/** How many words they count as: what an index takes of a text is limited by it. */
export function countWords(words: readonly string[]): number {
  return words.reduce((count, word) => count + Math.ceil(word.length / LETTERS_PER_WORD), 0);
}
