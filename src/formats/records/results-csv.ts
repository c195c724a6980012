import type { Citable, Result } from "../../core/citable/citable.js";
import { csvLine } from "../csv.js";
import type { RecordFormat } from "./record-format.js";

/** Column names, the same as in other tables of results. */
const COLUMNS = [
  ...["record", "type", "name", "value", "error_lower", "error_upper", "error_is_relative", "unit"],
  "entities_involved",
];

/** What was measured, as deposited: one line for each result. RFC 4180. */
export const resultsCsv: RecordFormat = {
  name: "results",
  title: "Results as CSV",
  mediaType: "text/csv",
  extension: "csv",
  profile: "https://www.rfc-editor.org/rfc/rfc4180",
  join: { open: csvLine(COLUMNS), between: "", close: "", isAlways: true },
  write: (record) => record.results.map((result) => csvLine(rowOf(record, result))).join(""),
};

function rowOf(
  { id }: Citable,
  { kind, name, value, unit, error, of }: Result,
): readonly (string | number | undefined)[] {
  const bounds = error === undefined ? [] : [error.lower, error.upper, String(error.isRelative)];
  return [id, kind, name, value, bounds[0], bounds[1], bounds[2], unit, of.join("; ")];
}
