import { statSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "better-sqlite3";
import { type BackgroundReporter, WARNING_REPORTER } from "../../../core/background.js";
import { DATABASE_FILE, Sqlite } from "../connection/database.js";
import { mapError } from "../connection/map-error.js";

/** Interval between checks of the log. */
const CHECK_INTERVAL_MS = 250;

/** Number of checks without a write after which the log is written back. */
const QUIET_CHECKS = 2;

/** Number of checks without a write after which the log file is truncated, and after which truncation is retried. */
const IDLE_CHECKS = 12;

/** Size of the log at which it is written back during work, and size of the file at which it is truncated. */
const WAL_BYTES = 64 * 1024 * 1024;
const WAL_BYTES_MAX = 256 * 1024 * 1024;
/**
 * Time that truncation waits for readers, during which writes wait too, and the minimum interval between two such
 * waits.
 */
const READER_WAIT_MS = 2_000;
const READER_WAIT_EVERY_MS = 30_000;

/** Number of pages whose write-back takes no longer than a commit. */
const FEW_PAGES = 64;

/** Maximum number of passes that write back pages written during the previous pass, before commits have to wait. */
const ROUNDS_MAX = 5;

/**
 * Writes the log back into the database when there are no writes or when the log is large, regardless of who wrote it.
 * It uses a connection of its own, so that no commit waits for the disk. Failures (a full disk) are reported and
 * retried; no acknowledged data depends on it.
 *
 * During work the log file keeps its size and is overwritten from its beginning: a commit that extends a file takes
 * half as long again. It is truncated when nobody has written for some seconds.
 */
export function startCheckpoints(folder: string, background: BackgroundReporter = WARNING_REPORTER): { stop(): void } {
  const walFile = join(folder, `${DATABASE_FILE}-wal`);
  let raw: Database | undefined;
  let lastState = "";
  let unchangedChecks = 0;
  let waitedAt = Number.NEGATIVE_INFINITY;

  const checkSafely = (): void => {
    try {
      checkLog();
    } catch (error) {
      background.onBackgroundError("wal-checkpoint", mapError(error));
    }
  };
  const checkLog = (): void => {
    const { size = 0, mtimeMs = 0 } = statSync(walFile, { throwIfNoEntry: false }) ?? {};
    const state = `${size} ${mtimeMs}`;
    unchangedChecks = state === lastState ? unchangedChecks + 1 : 0;
    lastState = state;
    if (size === 0) {
      // Everything was written back, possibly by another process.
      background.onBackgroundSuccess("wal-checkpoint");
      return;
    }
    raw ??= openToWriteBack(folder);
    const isIdle = unchangedChecks % IDLE_CHECKS === IDLE_CHECKS - 1;
    if (!isIdle && !(unchangedChecks === 0 && usedBytes(raw) > WAL_BYTES) && unchangedChecks !== QUIET_CHECKS) return;
    writeBack(raw);
    const isHuge = size > WAL_BYTES_MAX;
    const mayWait = isHuge && performance.now() - waitedAt > READER_WAIT_EVERY_MS;
    if (mayWait) waitedAt = performance.now();
    raw.pragma(`busy_timeout = ${mayWait ? READER_WAIT_MS : 0}`);
    // Works only without readers and writers; otherwise it is retried.
    raw.pragma(`wal_checkpoint(${isIdle || isHuge ? "TRUNCATE" : "RESTART"})`);
    background.onBackgroundSuccess("wal-checkpoint");
  };
  const timer = setInterval(checkSafely, CHECK_INTERVAL_MS).unref();
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

/** Pages of the log, and the number of those that were written back. */
interface LogPages {
  readonly log: number;
  readonly checkpointed: number;
}

const logPages = (raw: Database): LogPages => (raw.pragma("wal_checkpoint(NOOP)") as [LogPages])[0];

/** Returns the used bytes of the log file. After a write-back it is used from its beginning again. */
function usedBytes(raw: Database): number {
  const { log, checkpointed } = logPages(raw);
  return log === checkpointed ? 0 : log * (raw.pragma("page_size", { simple: true }) as number);
}

/** Writes the log back, including concurrent writes, until few pages are left: writers wait for those. */
function writeBack(raw: Database): void {
  raw.pragma("busy_timeout = 0");
  for (let round = 0; round < ROUNDS_MAX; round++) {
    raw.pragma("wal_checkpoint(PASSIVE)");
    const { log, checkpointed } = logPages(raw);
    if (log - checkpointed <= FEW_PAGES) return;
  }
}
