import { statSync } from "node:fs";
import { databaseFile, openDatabase } from "../connection/database.js";
import { isUnreadable, mapError } from "../connection/map-error.js";

/** What SQLite's own check of the whole file found. */
export interface FileCheck {
  readonly kind: "integrity_check" | "quick_check";
  /** The first of them; none: the file is whole. */
  readonly problems: readonly string[];
}

/**
 * Above so many bytes the quick check is done: it reads every page once, but does not compare indexes with their
 * tables, which takes several times as long.
 */
const FULL_CHECK_BYTES = 1024 ** 3;

/** Problems that are listed. */
const PROBLEMS_MAX = 20;

/** Has SQLite check pages, tables, indexes and full-text tables. It blocks this thread for as long as it takes. */
export function checkWholeFile(folder: string): FileCheck {
  const kind = statSync(databaseFile(folder)).size > FULL_CHECK_BYTES ? "quick_check" : "integrity_check";
  try {
    const db = openDatabase(folder, "reader");
    try {
      const lines = db.raw.prepare<[], string>(`PRAGMA ${kind}(${PROBLEMS_MAX})`).pluck().all();
      return { kind, problems: lines.filter((line) => line !== "ok") };
    } finally {
      db.close();
    }
  } catch (error) {
    if (isUnreadable(error)) return { kind, problems: [error.message] };
    throw mapError(error);
  }
}
