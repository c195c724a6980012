import { BinderyError } from "../../../core/errors.js";
import type { Counted, Report } from "../../verify/report.js";
import type { Db } from "../connection/database.js";
import { Sqlite } from "../connection/driver.js";
import { isUnreadable } from "../connection/map-error.js";
import type { FileUnit, FileUnits } from "./file-plan.js";

/**
 * Runs one check. A part of the file that cannot be read ends it, and is a finding.
 * @returns whether it came to its end
 */
export function runCheck(report: Report<FileUnits>, check: string, run: () => void, unit?: FileUnit): boolean {
  report.begin(check);
  try {
    run();
    return true;
  } catch (error) {
    if (!isOfDamage(error)) throw error;
    report.add({ check, where: "the file", expected: "to be readable", found: error.message }, unit);
    return false;
  }
}

/** Is this an error of reading a damaged value? A check reads values that nothing has checked before. */
function isOfDamage(error: unknown): error is Error {
  if (error instanceof Sqlite.SqliteError || isUnreadable(error)) return true;
  if (error instanceof BinderyError) return error.code === "STORE_DAMAGED";
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}

/** What was verified. @param db in its transaction */
export function countAll(db: Db, terms: number): Counted {
  const count = (table: string): number => {
    try {
      return db.raw.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
    } catch {
      return 0;
    }
  };
  const last = db.sql<number | null>("SELECT max(seq) FROM change").pluck().get() ?? 0;
  return { records: count("rec"), terms, changes: count("change"), lastChange: last };
}
