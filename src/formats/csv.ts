/**
 * One line of CSV (RFC 4180). A text that a spreadsheet would read as a formula gets an apostrophe before it: nothing
 * that somebody deposited runs when somebody else opens the file. Numbers stay numbers.
 */
export function csvLine(values: readonly (string | number | undefined)[], separator: Separator = ","): string {
  return `${values.map((value) => cell(value, separator)).join(separator)}\r\n`;
}

/** Cell separator. Excel expects semicolons in countries with a decimal comma, and a byte order mark before UTF-8. */
export type Separator = "," | ";";
export const BYTE_ORDER_MARK = "\ufeff";

/** What a cell says that `csvLine` wrote: without the apostrophe that it put before a text. */
export function textOfCell(written: string): string {
  return written.startsWith("'") && FORMULA.test(written.slice(1)) ? written.slice(1) : written;
}

/** Returns why a row does not fit its header, or undefined if it does. An unquoted comma adds a cell. */
export function whyRagged(cells: readonly string[], header: readonly string[]): string | undefined {
  if (cells.length === header.length) return undefined;
  const missing = header[cells.length];
  const what =
    missing === undefined ? `${cells.length - header.length} more than the header` : `none for column "${missing}"`;
  const cure = missing === undefined ? "; put cells with commas in quotes" : "";
  return `the row has ${cells.length} cells, ${what}, which has ${header.length} columns${cure}`;
}

/**
 * What spreadsheets begin a formula with (OWASP, CSV injection), also after blanks; and what begins with an apostrophe
 * before that, so that the one which is put before a text can be told from its own.
 */
const FORMULA = /^'*\s*[=+\-@\t\r＝＋－＠]/;
const QUOTED = /[",\r\n]|^\s|\s$/;

function cell(value: string | number | undefined, separator: Separator): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
