import type { Db } from "../connection/database.js";
import type { Writer } from "../connection/write-connection.js";
import { beginWrite, rollBack } from "../connection/write-transaction.js";

/** Each write leaves a segment in the full-text tables; so many are merged together. */
const MERGE_AFTER_WRITES = 64;

/** Pages of a full-text table that one slice of merging writes: a few milliseconds. */
const MERGE_PAGES = 64;

/** Nothing was written for so long: a quiet moment. */
const QUIET_MS = 500;

const FULL_TEXT_TABLES = ["leaf", "elem"] as const;

/**
 * Merges full-text segments in slices, between transactions. A merge that fails (a full disk) is reported and tried
 * again at the next occasion; nothing acknowledged depends on it.
 */
export function startSegmentMerges(writer: Writer): { stop(): void } {
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
      writer.background.onBackgroundSuccess("index-merge");
    } catch (error) {
      writer.background.onBackgroundError("index-merge", error);
    } finally {
      merging = false;
    }
  };

  writer.onCommit(() => {
    writes += 1;
    if (writes >= MERGE_AFTER_WRITES) void merge();
    if (quiet !== undefined) quiet.refresh();
    else quiet = setTimeout(() => writes > 0 && void merge(), QUIET_MS).unref();
  });
  return {
    stop() {
      stopped = true;
      clearTimeout(quiet);
    },
  };
}

/** @returns whether there is more to do */
async function mergeSlice(db: Db): Promise<boolean> {
  const changes = db.sql<number>("SELECT total_changes()").pluck();
  let more = false;
  await beginWrite(db);
  try {
    for (const table of FULL_TEXT_TABLES) {
      const before = changes.get() ?? 0;
      // A positive number: a negative one rewrites the largest segment too, and never ends.
      db.sql(`INSERT INTO ${table}(${table}, rank) VALUES('merge', ?)`).run(MERGE_PAGES);
      if ((changes.get() ?? 0) - before >= 2) more = true;
    }
    db.sql("COMMIT").run();
  } catch (error) {
    throw rollBack(db, error);
  }
  return more;
}
