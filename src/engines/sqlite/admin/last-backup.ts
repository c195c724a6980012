import type { Database } from "better-sqlite3";
import { storedObject } from "../../../core/json.js";
import type { BackupNote } from "../../../ports/store-admin.js";
import { openDatabase, readMeta, writeMeta } from "../connection/database.js";

/** Name of the row of `meta` with a `BackupNote` as JSON. */
const LAST_BACKUP = "last backup";

/** Notes a backup in the store that was copied, so the copy has the one before. */
export function noteBackup(folder: string, note: BackupNote): void {
  const db = openDatabase(folder, "writer");
  try {
    db.raw.transaction(() => writeMeta(db.raw, LAST_BACKUP, JSON.stringify(note))).immediate();
  } finally {
    db.close();
  }
}

export function readLastBackup(raw: Database): BackupNote | undefined {
  const text = readMeta(raw, LAST_BACKUP);
  return text === undefined ? undefined : storedObject<BackupNote>(text, "The row of meta", LAST_BACKUP);
}
