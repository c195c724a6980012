import { statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { type BackgroundReporter, WARNING_REPORTER } from "../../../core/background.js";
import { DATABASE_FILE } from "../connection/database.js";
import { Sqlite } from "../connection/driver.js";
import { mapError } from "../connection/map-error.js";

/** How often the log is looked at. */
const LOOK_MS = 250;

/** Nothing was written for so many looks: a quiet moment. */
const QUIET_LOOKS = 2;

/** Looks until a log that could not be emptied, and has not changed since, is tried again. */
const RETRY_LOOKS = 20;

/** Size of the log at which it is written back in the middle of work; at the second, readers are waited for. */
const WAL_BYTES = 64 * 1024 * 1024;
const WAL_BYTES_MAX = 256 * 1024 * 1024;
const READER_WAIT_MS = 2_000;

/**
 * Writes the log back into the file when it is quiet, or when the log is large, whoever wrote it. It has a connection
 * of its own, so that no commit waits for the disk; what fails (a full disk) is reported and tried again, and nothing
 * acknowledged depends on it.
 */
export function startCheckpoints(folder: string, background: BackgroundReporter = WARNING_REPORTER): { stop(): void } {
  const walFile = join(folder, `${DATABASE_FILE}-wal`);
  let raw: Database | undefined;
  let seen = "";
  let looks = 0;

  const look = (): void => {
    try {
      lookAt();
    } catch (error) {
      background.onBackgroundError("wal-checkpoint", mapError(error));
    }
  };
  const lookAt = (): void => {
    const { size = 0, mtimeMs = 0 } = statSync(walFile, { throwIfNoEntry: false }) ?? {};
    const state = `${size} ${mtimeMs}`;
    looks = state === seen ? looks + 1 : 0;
    seen = state;
    if (size === 0) return;
    const isDue = looks === QUIET_LOOKS || (looks === 0 && size > WAL_BYTES);
    if (!isDue && looks % RETRY_LOOKS !== RETRY_LOOKS - 1) return;
    raw ??= openToWriteBack(folder);
    writeBack(raw, size > WAL_BYTES_MAX ? READER_WAIT_MS : 0);
    background.onBackgroundSuccess("wal-checkpoint");
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    stop() {
      clearInterval(timer);
      raw?.close();
    },
  };
}

function openToWriteBack(folder: string): Database {
  const raw = new Sqlite(join(folder, DATABASE_FILE), { fileMustExist: true });
  raw.pragma("wal_autocheckpoint = 0");
  return raw;
}

/** Writes the log back; without readers and writers in the way it is emptied too. */
function writeBack(raw: Database, waitMs: number): void {
  raw.pragma("busy_timeout = 0");
  raw.pragma("wal_checkpoint(PASSIVE)");
  raw.pragma(`busy_timeout = ${waitMs}`);
  raw.pragma("wal_checkpoint(TRUNCATE)");
}
