/**
 * One line of CSV (RFC 4180). A text that a spreadsheet would read as a formula gets an apostrophe before it: nothing
 * that somebody deposited runs when somebody else opens the file. Numbers stay numbers.
 */
export function csvLine(values: readonly (string | number | undefined)[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}

/** What spreadsheets begin a formula with (OWASP, CSV injection), also after blanks. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;
const QUOTED = /[",\r\n]|^\s|\s$/;

function cell(value: string | number | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
