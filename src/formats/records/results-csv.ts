import type { Citable, Result } from "../../core/citable/citable.js";
import { csvDialect, csvLine, EXCEL_NAMES, EXCEL_TITLES, type ExcelDialect, excelName } from "../csv.js";
import type { RecordFormat } from "./record-format.js";

/** Column names, the same as in other tables of results. */
const COLUMNS = [
  "record",
  "type",
  "name",
  "value",
  "error_lower",
  "error_upper",
  "error_is_relative",
  "unit",
  "entities_involved",
];

const NAME = "results";

/** Measured values as deposited: one line for each result. */
export const resultsCsv: RecordFormat = { name: NAME, title: "Results as CSV", ...resultsIn(undefined) };

/** The same for Excel. */
export const excelResults: readonly RecordFormat[] = EXCEL_NAMES.map((excel) => ({
  name: excelName(NAME, excel),
  title: `Results as CSV for ${EXCEL_TITLES[excel]}`,
  ...resultsIn(excel),
}));

function resultsIn(excel: ExcelDialect | undefined): Omit<RecordFormat, "name" | "title"> {
  const dialect = csvDialect(excel);
  return {
    mediaType: "text/csv",
    extension: "csv",
    profile: "https://www.rfc-editor.org/rfc/rfc4180",
    join: { open: dialect.mark + csvLine(COLUMNS, dialect), between: "", close: "", isAlways: true },
    write: (record) => record.results.map((result) => csvLine(rowOf(record, result), dialect)).join(""),
  };
}

function rowOf(
  { id }: Citable,
  { kind, name, value, unit, error, of }: Result,
): readonly (string | number | undefined)[] {
  const bounds = error === undefined ? [] : [error.lower, error.upper, String(error.isRelative)];
  return [id, kind, name, value, bounds[0], bounds[1], bounds[2], unit, of.join("; ")];
}
