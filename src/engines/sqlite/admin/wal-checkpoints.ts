import { statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { type BackgroundReporter, WARNING_REPORTER } from "../../../core/background.js";
import { DATABASE_FILE } from "../connection/database.js";
import { Sqlite } from "../connection/driver.js";
import { mapError } from "../connection/map-error.js";

/** How often the log is looked at. */
const LOOK_MS = 250;

/** Nothing was written for so many looks: a quiet moment, in which the log is written back. */
const QUIET_LOOKS = 2;

/** After so many looks its file is made empty, and again after as many where that was not possible. */
const IDLE_LOOKS = 12;

/** Size of the log at which it is written back in the middle of work; a file of the second size is made empty. */
const WAL_BYTES = 64 * 1024 * 1024;
const WAL_BYTES_MAX = 256 * 1024 * 1024;
/** How long making it empty waits for readers then, and everybody who writes with it; and how often that may be. */
const READER_WAIT_MS = 2_000;
const READER_WAIT_EVERY_MS = 30_000;

/** Writing back so many pages takes no longer than a commit. */
const FEW_PAGES = 64;

/** How often pages that were written while others were written back are written back, too, before commits wait. */
const ROUNDS_MAX = 5;

/**
 * Writes the log back into the file when it is quiet, or when the log is large, whoever wrote it. It has a connection
 * of its own, so that no commit waits for the disk; what fails (a full disk) is reported and tried again, and nothing
 * acknowledged depends on it.
 *
 * While there is work the file of the log keeps its size and is written from its beginning again: a commit that makes
 * a file longer takes half as long again. It is made empty when nobody has written for some seconds.
 */
export function startCheckpoints(folder: string, background: BackgroundReporter = WARNING_REPORTER): { stop(): void } {
  const walFile = join(folder, `${DATABASE_FILE}-wal`);
  let raw: Database | undefined;
  let seen = "";
  let looks = 0;
  let waited = Number.NEGATIVE_INFINITY;

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
    if (size === 0) {
      // Nothing is left to be written back, whoever did it.
      background.onBackgroundSuccess("wal-checkpoint");
      return;
    }
    raw ??= openToWriteBack(folder);
    const isIdle = looks % IDLE_LOOKS === IDLE_LOOKS - 1;
    if (!isIdle && !(looks === 0 && usedBytes(raw) > WAL_BYTES) && looks !== QUIET_LOOKS) return;
    writeBack(raw);
    const isHuge = size > WAL_BYTES_MAX;
    const waits = isHuge && performance.now() - waited > READER_WAIT_EVERY_MS;
    if (waits) waited = performance.now();
    raw.pragma(`busy_timeout = ${waits ? READER_WAIT_MS : 0}`);
    // Without readers and writers in the way; with them it is tried again.
    raw.pragma(`wal_checkpoint(${isIdle || isHuge ? "TRUNCATE" : "RESTART"})`);
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

/** Pages of the log, and how many of them are written back. */
interface LogPages {
  readonly log: number;
  readonly checkpointed: number;
}

const pagesOf = (raw: Database): LogPages => (raw.pragma("wal_checkpoint(NOOP)") as [LogPages])[0];

/** What of the log's file is in use. After it was written back, it is used from its beginning again. */
function usedBytes(raw: Database): number {
  const { log, checkpointed } = pagesOf(raw);
  return log === checkpointed ? 0 : log * (raw.pragma("page_size", { simple: true }) as number);
}

/**
 * Writes back what is there, and what others write meanwhile, until little is left: for that they wait.
 */
function writeBack(raw: Database): void {
  raw.pragma("busy_timeout = 0");
  for (let round = 0; round < ROUNDS_MAX; round++) {
    raw.pragma("wal_checkpoint(PASSIVE)");
    const { log, checkpointed } = pagesOf(raw);
    if (log - checkpointed <= FEW_PAGES) return;
  }
}
