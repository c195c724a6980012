import type { Vocabulary } from "../../../core/catalog/types.js";
import { BinderyError } from "../../../core/errors.js";
import type { RecordState } from "../../../core/record.js";
import { recordStateName } from "../../verify/compare-record.js";
import type { Counted, RepairPlan, RepairUnit, Report } from "../../verify/report.js";
import type { Change } from "../connection/change-table.js";
import { type Db, Sqlite } from "../connection/database.js";
import { isUnreadable } from "../connection/map-error.js";
import type { RecordWriting } from "../records/record-index.js";
import type { Generation } from "../vocabulary/store/generation.js";

/** Units that a repair rebuilds as a whole: the kinds, with the type that names one unit of the kind. */
interface FileUnits {
  /** Name of an SQLite index, rebuilt from its table. */
  readonly indexes: string;
  /** Name of a vocabulary: a new generation is made from the content of its terms. */
  readonly vocabularies: string;
  /**
   * Row number of a record: everything derived from its body is rebuilt, or removed if the body is missing or was
   * retracted.
   */
  readonly records: number;
  /** Parent of records: the flags of its versions. */
  readonly parents: string;
  /** Data derived from all records: full text, counts of citations and drafts, counters of ids, shares, checksums. */
  readonly tables: "text" | "citations" | "drafts" | "counters" | "shares" | "checksums";
  /** Number of an incomplete generation or import, which is removed. */
  readonly leftovers: number;
  /** Last change of a record or term that is missing from the change table. */
  readonly changes: Change;
}

/** One unit. */
export type FileUnit = RepairUnit<FileUnits>;

/** All units that a repair of the file rebuilds. */
export type FilePlan = RepairPlan<FileUnits>;

/** Returns an empty plan. */
export const makeFilePlan = (): FilePlan => ({
  indexes: new Set(),
  vocabularies: new Set(),
  records: new Set(),
  parents: new Set(),
  tables: new Set(),
  leftovers: new Set(),
  changes: new Set(),
});

/** Context of the checks: one snapshot of the file on a read-only connection. */
export interface VerifyContext extends RecordWriting {
  readonly report: Report<FileUnits>;
}

/** Context of the checks of one vocabulary. */
export interface TermVerifyContext extends VerifyContext {
  readonly vocabulary: Vocabulary;
  readonly generation: Generation;
}

/** Converts the column `state` to a state. */
export const recordState = (state: number): RecordState => (state === 0 ? "draft" : "published");

/** Names a row of records for findings. */
export const nameOfRow = ({ pid, state }: { readonly pid: string; readonly state: number }): string =>
  recordStateName(pid, recordState(state));

/** Returns the number of records. */
export const countRecords = (db: Db): number => db.sql<number>("SELECT count(*) FROM rec").pluck().get() ?? 0;

/** Returns a number greater than all row numbers of records. */
export const endOfRecords = (db: Db): number => (db.sql<number>("SELECT max(id) FROM rec").pluck().get() ?? 0) + 1;

/**
 * Runs one check. An unreadable part of the file ends it and is reported as a finding.
 * @returns whether the check was completed
 */
export function runCheck(report: Report<FileUnits>, check: string, run: () => void, unit?: FileUnit): boolean {
  report.begin(check);
  try {
    run();
    return true;
  } catch (error) {
    if (!isDamageError(error)) throw error;
    report.add({ check, where: "the file", expected: "to be readable", found: error.message }, unit);
    return false;
  }
}

/** Returns whether this is an error of reading a damaged value. Checks read values that were not validated before. */
function isDamageError(error: unknown): error is Error {
  if (error instanceof Sqlite.SqliteError || isUnreadable(error)) return true;
  if (error instanceof BinderyError) return error.code === "STORE_DAMAGED";
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}

/** Counts what was verified. @param db in its transaction */
export function countAll(db: Db, terms: number): Counted {
  const count = (table: string): number => {
    try {
      return db.raw.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
    } catch {
      return 0;
    }
  };
  const lastChange = db.sql<number | null>("SELECT max(seq) FROM change").pluck().get() ?? 0;
  return { records: count("rec"), terms, changes: count("change"), lastChange: lastChange };
}
