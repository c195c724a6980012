import { statSync } from "node:fs";
import type { Db } from "./database.js";
import type { Writer } from "./transaction.js";

/** Each write leaves a segment in the full-text tables; so many are merged together. */
const MERGE_AFTER_WRITES = 64;

/** Pages of a full-text table that one slice of merging writes: a few milliseconds. */
const MERGE_PAGES = 64;

/** Nothing was written for so long: a quiet moment. */
const QUIET_MS = 500;

/** Size of the log at which it is written back in the middle of work; at the second, readers are waited for. */
const WAL_BYTES = 64 * 1024 * 1024;
const WAL_BYTES_MAX = 256 * 1024 * 1024;
const READER_WAIT_MS = 2_000;

const FULL_TEXT_TABLES = ["leaf", "elem"] as const;

/**
 * Keeps the file in shape between transactions: merges full-text segments in slices and writes the log back. Upkeep
 * that fails (a full disk) is tried again at the next occasion; nothing acknowledged depends on it.
 */
export function startMaintenance(writer: Writer, walFile: string): { stop(): void } {
  let writes = 0;
  let merging = false;
  let stopped = false;
  let quiet: NodeJS.Timeout | undefined;

  const merge = async (): Promise<void> => {
    if (merging) return;
    merging = true;
    writes = 0;
    try {
      while (!stopped && (await writer.between(() => mergeSlice(writer.db))));
    } catch {
      // See above: the next occasion comes.
    } finally {
      merging = false;
    }
  };
  const checkpoint = async (): Promise<void> => {
    try {
      await writer.between(() => !stopped && writeBack(writer.db, walFile));
    } catch {
      // See above.
    }
  };
  const rest = async (): Promise<void> => {
    if (writes > 0) await merge();
    if (!stopped) await checkpoint();
  };

  writer.onCommit(() => {
    writes += 1;
    if (writes >= MERGE_AFTER_WRITES) void merge();
    if (walBytes(walFile) > WAL_BYTES) void checkpoint();
    if (quiet !== undefined) quiet.refresh();
    else quiet = setTimeout(() => void rest(), QUIET_MS).unref();
  });
  return {
    stop() {
      stopped = true;
      clearTimeout(quiet);
    },
  };
}

/** @returns whether there is more to do */
function mergeSlice(db: Db): boolean {
  const changes = db.sql<number>("SELECT total_changes()").pluck();
  let more = false;
  db.raw.transaction(() => {
    for (const table of FULL_TEXT_TABLES) {
      const before = changes.get() ?? 0;
      // A positive number: a negative one rewrites the largest segment too, and never ends.
      db.sql(`INSERT INTO ${table}(${table}, rank) VALUES('merge', ?)`).run(MERGE_PAGES);
      if ((changes.get() ?? 0) - before >= 2) more = true;
    }
  })();
  return more;
}

/** Writes the log back; without readers in the way it is emptied too. */
function writeBack(db: Db, walFile: string): void {
  const waits = walBytes(walFile) > WAL_BYTES_MAX;
  db.raw.pragma(`busy_timeout = ${waits ? READER_WAIT_MS : 0}`);
  try {
    db.raw.pragma("wal_checkpoint(PASSIVE)");
    db.raw.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    db.raw.pragma("busy_timeout = 0");
  }
}

function walBytes(walFile: string): number {
  return statSync(walFile, { throwIfNoEntry: false })?.size ?? 0;
}
