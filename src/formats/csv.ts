/** A way to write CSV. */
export interface CsvDialect {
  /** Start of the file: a byte order mark, or "". */
  readonly mark: string;
  readonly separator: "," | ";";
  /** Decimal mark of numbers. */
  readonly decimal: "." | ",";
}

/** CSV for programs. */
export const RFC_4180: CsvDialect = { mark: "", separator: ",", decimal: "." };

/**
 * CSV for Excel, by the separator. Excel reads UTF-8 only after a byte order mark, and takes the separator and the
 * decimal mark from the region of the computer: in a region with a decimal comma, `0.5` is a text and `1.5` a date. A
 * first line `sep=;` sets the separator, but not the decimal mark, and makes Excel ignore the byte order mark.
 */
const EXCEL_DIALECTS = {
  semicolon: { mark: "\ufeff", separator: ";", decimal: "," },
  comma: { mark: "\ufeff", separator: ",", decimal: "." },
} as const satisfies Readonly<Record<string, CsvDialect>>;

export type ExcelDialect = keyof typeof EXCEL_DIALECTS;

/** Names of the dialects for Excel. */
export const EXCEL_NAMES = Object.keys(EXCEL_DIALECTS) as readonly ExcelDialect[];

/** Titles for menus, as in `CSV for Excel (decimal comma)`. */
export const EXCEL_TITLES: Readonly<Record<ExcelDialect, string>> = {
  semicolon: "Excel (decimal comma)",
  comma: "Excel (decimal point)",
};

/** Returns the dialect with a name; without a name, that for programs. */
export const csvDialect = (excel: ExcelDialect | undefined): CsvDialect =>
  excel === undefined ? RFC_4180 : EXCEL_DIALECTS[excel];

/** Returns the name of a format of CSV in a dialect for Excel. A parameter chooses the dialect, not the media type. */
export const excelName = (format: string, excel: ExcelDialect): string => `${format}-excel-${excel}`;

/**
 * Returns one line of CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe before it, so
 * that nothing of a deposit runs on another computer. Numbers stay numbers.
 */
export function csvLine(values: readonly (string | number | undefined)[], dialect = RFC_4180): string {
  return `${values.map((value) => cell(value, dialect)).join(dialect.separator)}\r\n`;
}

/** Returns a number as text, with the decimal mark of a dialect. @param number or its text with a point */
export const numberText = (number: number | string, { decimal }: CsvDialect): string =>
  decimal === "." ? String(number) : String(number).replace(".", decimal);

/** Returns the text of a cell that `csvLine` wrote, without the apostrophe that it put before the text. */
export function textOfCell(written: string): string {
  return written.startsWith("'") && FORMULA.test(written.slice(1)) ? written.slice(1) : written;
}

/** Returns the reason why a row does not fit its header, or undefined if it fits. An unquoted comma adds a cell. */
export function explainRaggedRow(cells: readonly string[], header: readonly string[]): string | undefined {
  if (cells.length === header.length) return undefined;
  const missing = header[cells.length];
  const what =
    missing === undefined ? `${cells.length - header.length} more than the header` : `none for column "${missing}"`;
  const cure = missing === undefined ? "; put cells with commas in quotes" : "";
  return `the row has ${cells.length} cells, ${what}, which has ${header.length} columns${cure}`;
}

/**
 * Beginnings of formulas in spreadsheets (OWASP, CSV injection), also after blanks; and the same after apostrophes, so
 * that an apostrophe that `csvLine` puts before a text can be told from the text's own.
 */
const FORMULA = /^'*\s*[=+\-@\t\r＝＋－＠]/;
const QUOTED = /["\r\n]|^\s|\s$/;

function cell(value: string | number | undefined, dialect: CsvDialect): string {
  if (value === undefined) return "";
  if (typeof value === "number") return numberText(value, dialect);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return QUOTED.test(safe) || safe.includes(dialect.separator) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
