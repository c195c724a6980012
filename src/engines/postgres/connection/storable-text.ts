/**
 * PostgreSQL stores no U+0000 in a text, and UTF-8 has no lone surrogates; clients may send both. They are stored
 * behind an escape character, and so is that character itself.
 */

/** A character of private use, which hardly any text has. */
const ESCAPE = "\ue000";

const ESCAPED = new RegExp(`${ESCAPE}([0-9a-f]{4})`, "g");

/** What has to be escaped. Surrogates that are a pair are one character, which is none. */
const UNSTORABLE = /[\0\ue000]|\p{Surrogate}/gu;

/** A text as PostgreSQL can store it. */
export function storable(text: string): string {
  if (text.isWellFormed() && !text.includes("\0") && !text.includes(ESCAPE)) return text;
  return text.replace(UNSTORABLE, (unit) => ESCAPE + unit.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** The text that `storable` was given. */
export function restored(text: string): string {
  return text.includes(ESCAPE)
    ? text.replace(ESCAPED, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
}
