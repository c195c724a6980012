/**
 * What a terminal would act on, or a reader not see, in a text of others: controls (C0, DEL, C1, with line breaks and
 * ESC), marks that turn the direction of what follows, other line ends, characters without a width that make two texts
 * look alike, and halves of surrogates.
 */
const UNPRINTABLE =
  /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

/** The same characters beyond those that JSON itself escapes; in JSON they stand in strings only. */
const UNPRINTABLE_IN_JSON =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Returns a text as one line that is safe on a terminal: what is not printable stands as `\n`, `\u001b`, `\u202e`. */
export function printableLine(text: string): string {
  return text.replaceAll(UNPRINTABLE, (sign) => SHORT[sign] ?? escapeUnits(sign));
}

/** Returns a text with its line ends, each line as `printableLine` has it. */
export function printableText(text: string): string {
  return text.split("\n").map(printableLine).join("\n");
}

/** Returns JSON that says the same and is safe on a terminal. */
export function printableJson(json: string): string {
  return json.replaceAll(UNPRINTABLE_IN_JSON, escapeUnits);
}

const escapeUnits = (sign: string): string =>
  Array.from({ length: sign.length }, (_, i) => `\\u${sign.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
