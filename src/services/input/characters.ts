/**
 * Characters that texts may not contain. Control characters affect terminals and break formats. Bidirectional
 * embeddings, overrides and isolates (U+202A to U+202E, U+2066 to U+2069) show a text in another order than it is
 * stored. U+2028 and U+2029 end lines in some formats. The direction marks U+200E, U+200F and U+061C are allowed,
 * because they are common in pasted text.
 */
const BIDI = "\\u202A-\\u202E\\u2066-\\u2069";
const SEPARATORS = "\\u2028\\u2029";

/** Control characters except line breaks and tabs. */
const CONTROL = "\\x00-\\x08\\x0B\\x0C\\x0E-\\x1F\\x7F-\\x9F";

const FORBIDDEN = new RegExp(`[${CONTROL}${SEPARATORS}${BIDI}]|\\p{Surrogate}`, "u");
const FORBIDDEN_IN_LINE = new RegExp(`[\\t\\n\\r${CONTROL}${SEPARATORS}${BIDI}]|\\p{Surrogate}`, "u");

/** Pattern of JSON Schema for any text. It cannot express unpaired surrogates. */
export const TEXT_PATTERN = `^[^${CONTROL}${SEPARATORS}${BIDI}]*$`.replaceAll("\\x", "\\u00");
/** Pattern of JSON Schema for a text of one line. It cannot express unpaired surrogates. */
export const LINE_PATTERN = TEXT_PATTERN.replace("[^", "[^\\t\\n\\r");

/** Returns the first character that no text may contain, or undefined. Line breaks and tabs are allowed. */
export const forbiddenIn = (text: string): string | undefined => FORBIDDEN.exec(text)?.[0];

/** Returns the first character that a text of one line (a title, a name, a key) may not contain, or undefined. */
export const forbiddenInLine = (text: string): string | undefined => FORBIDDEN_IN_LINE.exec(text)?.[0];

const NAMES: ReadonlyMap<string, string> = new Map([
  ["\0", "a NUL character"],
  ["\t", "a tab"],
  ["\n", "a line break"],
  ["\r", "a line break"],
  ["\u001b", "an escape character"],
  ["\u2028", "a line separator"],
  ["\u2029", "a paragraph separator"],
]);

/** Returns the name of a forbidden character for a message: `a tab`, `a control character (U+0007)`. */
export function nameOfForbidden(character: string): string {
  const name = NAMES.get(character);
  if (name !== undefined) return name;
  if (/\p{Surrogate}/u.test(character)) return "half of a surrogate pair";
  const code = character.codePointAt(0)!;
  const hex = code.toString(16).toUpperCase().padStart(4, "0");
  return `a ${code > 0xff ? "character that reverses the direction of text" : "control character"} (U+${hex})`;
}

const ALL_IN_LINE = new RegExp(FORBIDDEN_IN_LINE, "gu");

/** Returns a text of one line: forbidden characters, line breaks and tabs become blanks. */
export const cleanLine = (text: string): string =>
  forbiddenInLine(text) === undefined ? text : text.replace(ALL_IN_LINE, " ").trim();

/** Replaces each forbidden character by U+FFFD, so that a message can show the text. */
export function replaceForbidden(text: string): string {
  return forbiddenInLine(text) === undefined ? text : text.replace(ALL_IN_LINE, "\ufffd");
}

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
