import { isAbsolute } from "node:path";
import { BinderyError, fail, isFileDamage } from "../../../core/errors.js";
import { explainAccess, explainOpen } from "../../files/explain-access.js";
import { DATABASE_FILE } from "./data-folder.js";
import { Sqlite } from "./database.js";

/** Codes for content that SQLite did not write, although the disk reported no error. */
const DAMAGED = /^SQLITE_(CORRUPT|NOTADB|IOERR_CORRUPTFS|IOERR_DATA)/;

/** Advice for operators if another process writes for too long. */
const CURE_OF_BUSY = "See which other process has the data file open (lsof), and end it if it does not go on.";

/**
 * Errors that the operator can mend or wait for, by the beginning of SQLite's code. Any other error is a fault of
 * Bindery.
 */
const REASONS: readonly (readonly [code: string, reason: string, cure: string])[] = [
  ["SQLITE_FULL", "the disk is full", "Free room on the disk that has the data folder (BINDERY_DATA)."],
  [
    "SQLITE_READONLY",
    "the disk or the data file is read-only",
    "Mount the disk for writing, and see that the files in the data folder belong to the user that runs the service.",
  ],
  [
    "SQLITE_IOERR",
    "the disk has read or write errors",
    "See the log of the system for errors of the disk, and whether files may become so large (ulimit -f, quotas).",
  ],
  [
    "SQLITE_CANTOPEN",
    "the data file cannot be opened",
    "See that the data folder is there and writable, and that its files belong to the user that runs the service.",
  ],
  ["SQLITE_BUSY", "another process is writing", CURE_OF_BUSY],
  ["SQLITE_LOCKED", "another process is writing", CURE_OF_BUSY],
];

/**
 * Translates an error of SQLite: STORE_DAMAGED for a damaged file, STORE_UNAVAILABLE for errors that pass or can be
 * mended, otherwise the error unchanged.
 *
 * @param file name for messages. An absolute path is examined, and the cure for the operator names it.
 */
export function mapError(error: unknown, file: string = DATABASE_FILE): unknown {
  if (error instanceof BinderyError || !(error instanceof Sqlite.SqliteError)) return error;
  if (DAMAGED.test(error.code)) {
    const reason = error.code === "SQLITE_NOTADB" ? "it is not a database" : "its pages are inconsistent";
    return fail("STORE_DAMAGED", { part: `The data file ${file}`, reason }, error);
  }
  const [code = "", reason, cure] = REASONS.find(([code]) => error.code.startsWith(code)) ?? [];
  if (reason === undefined) return error;
  const owner = OWNED.test(code) && isAbsolute(file) ? (explainAccess(file) ?? explainOpen(file)) : undefined;
  if (owner !== undefined) return fail("STORE_UNAVAILABLE", { reason, cure: owner }, error);
  return fail("STORE_UNAVAILABLE", { reason, cure }, error);
}

/** Codes that may mean that the file belongs to another user. */
const OWNED = /^SQLITE_(CANTOPEN|READONLY)/;

/** Returns whether SQLite reports a part of the file as unreadable. */
export function isUnreadable(error: unknown): error is Error {
  return isFileDamage(error) || (error instanceof Sqlite.SqliteError && DAMAGED.test(error.code));
}

/** Returns whether another connection holds the write lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/** Runs a synchronous read of the database and returns its result as a promise, as ports require. */
export async function runRead<T>(work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    throw mapError(error);
  }
}
