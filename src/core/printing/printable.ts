/**
 * Characters that affect a terminal or are invisible: controls (C0, DEL, C1, including line breaks and ESC), marks that
 * change the direction of text, other line ends, zero-width characters that make different texts look alike, and
 * unpaired surrogates.
 */
const UNPRINTABLE =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** The same characters without those that JSON itself escapes. In JSON they occur only in strings. */
const UNPRINTABLE_IN_JSON =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Returns a text as one line that is safe on a terminal: other characters are escaped: `\n`, `\u001b`, `\u202e`. */
export function printableLine(text: string): string {
  return text.replaceAll(UNPRINTABLE, (sign) => SHORT[sign] ?? escapeUnits(sign));
}

/** Returns a text of several lines, each of which is safe on a terminal. */
export function printableText(text: string): string {
  return text.split("\n").map(printableLine).join("\n");
}

/** Returns equivalent JSON that is safe on a terminal. */
export function printableJson(json: string): string {
  return json.replaceAll(UNPRINTABLE_IN_JSON, escapeUnits);
}

const escapeUnits = (sign: string): string =>
  Array.from({ length: sign.length }, (_, i) => `\\u${sign.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
