import { escapeLiteral } from "pg";

/**
 * PostgreSQL cannot store U+0000 in a text, and UTF-8 cannot encode lone surrogates, but clients may send both. They
 * are stored after an escape character, which is itself escaped.
 */

/** A private-use character that hardly any text contains. */
const ESCAPE = "\ue000";

const ESCAPED = new RegExp(`${ESCAPE}([0-9a-f]{4})`, "g");

/** Characters to escape. A pair of surrogates is one character and does not match. */
const UNSTORABLE = /[\0\ue000]|\p{Surrogate}/gu;

/** Converts a text to one that PostgreSQL can store. */
export function toStorable(text: string): string {
  if (text.isWellFormed() && !text.includes("\0") && !text.includes(ESCAPE)) return text;
  return text.replace(UNSTORABLE, (unit) => ESCAPE + unit.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** Converts a stored text back. */
export function restoreText(text: string): string {
  return text.includes(ESCAPE)
    ? text.replace(ESCAPED, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
}

/** Returns a value as an SQL literal, for a statement that is sent without parameters. */
export function literal(value: string | number | null): string {
  if (value === null) return "NULL";
  return typeof value === "number" ? String(value) : escapeLiteral(toStorable(value));
}

/** Returns rows as an SQL list for `VALUES`. */
export function literalRows(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `(${row.map(literal).join(", ")})`).join(", ");
}
