const KEY = /^(?:[a-z][a-z0-9._-]*:)?([a-z]{14})(?:-[a-z]{10}-[a-z])?$/iu;

/**
 * The first block of an InChIKey, or of a text that is the first block itself, as an analysed word: what a compound has
 * in common with its isotopes and stereoisomers. No other part of a key has 14 letters, so it is found as a word.
 * Undefined for any other text.
 */
export function compoundBlock(text: string): string | undefined {
  return KEY.exec(text)?.[1]?.toLowerCase();
}
