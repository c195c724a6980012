import { BinderyError, fail } from "../../core/errors.js";
import { Sqlite } from "./driver.js";

/** What the operator can mend or wait for, by the beginning of SQLite's code. Anything else is a fault of ours. */
const REASONS: readonly (readonly [code: string, reason: string])[] = [
  ["SQLITE_FULL", "the disk is full"],
  ["SQLITE_READONLY", "the disk or the data file is read-only"],
  ["SQLITE_IOERR", "the disk does not answer"],
  ["SQLITE_CANTOPEN", "the data file cannot be opened"],
  ["SQLITE_BUSY", "another process is writing"],
  ["SQLITE_LOCKED", "another process is writing"],
];

/** Translates what SQLite throws: STORE_UNAVAILABLE for what passes or can be mended, else the error as it was. */
export function mapError(error: unknown): unknown {
  if (error instanceof BinderyError || !(error instanceof Sqlite.SqliteError)) return error;
  const reason = REASONS.find(([code]) => error.code.startsWith(code))?.[1];
  return reason === undefined ? error : fail("STORE_UNAVAILABLE", { reason }, error);
}

/** Is the write lock held by another connection? */
export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/** Runs a read of the database, which does not wait, as the promise that a port gives. */
export async function reading<T>(work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    throw mapError(error);
  }
}
