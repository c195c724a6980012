/** A character that shows something: no blank, no control character, nothing that fonts draw as nothing. */
const VISIBLE = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]/u;

/**
 * Does a text show nothing? It is empty or holds only blanks, control characters, and what is drawn as nothing: the
 * zero-width characters, the soft hyphen, variation selectors, the Hangul fillers (Unicode: Default_Ignorable), the
 * empty Braille pattern and the marks of interlinear annotation.
 */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}
