/** A visible character: no blank, no control character, no character without a glyph. */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/**
 * Returns whether a text is blank. A blank text is empty or has only blanks, control characters and invisible
 * characters: zero-width characters, the soft hyphen, variation selectors, Hangul fillers (Unicode: Default_Ignorable),
 * the empty Braille pattern and the marks of interlinear annotation.
 */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}
