import type { Db } from "../connection/database.js";
import type { Writer } from "../connection/write-connection.js";
import { beginWrite, rollBack } from "../connection/write-transaction.js";
import { hasManyNewWords, sortNewWords } from "../lexicon/sort-new-words.js";

/**
 * Each commit leaves a segment in the full-text tables; so many are merged together. Ending a slice rewrites the first
 * page of each segment that is being merged, so a slice is large enough for all of these.
 */
const MERGE_AFTER_COMMITS = 64;

/** Pages of a full-text table that one slice of merging writes: a few milliseconds; and where nobody waits for it. */
const MERGE_PAGES = 256;
const MERGE_PAGES_ALONE = 1024;

/** Nothing was written for so long: a quiet moment. */
const QUIET_MS = 500;

const FULL_TEXT_TABLES = ["leaf", "elem"] as const;

/**
 * Merges full-text segments in slices, between transactions, and gives new words their places. What fails (a full disk)
 * is reported and tried again at the next occasion; nothing acknowledged depends on it.
 */
export function startSegmentMerges(writer: Writer): { stop(): void } {
  let commits = 0;
  let merging = false;
  let stopped = false;
  let quiet: NodeJS.Timeout | undefined;

  const merge = async (): Promise<void> => {
    if (merging) return;
    merging = true;
    commits = 0;
    try {
      for (let more = true; more; ) {
        more = false;
        for (const table of FULL_TEXT_TABLES) {
          if (stopped) return;
          const pages = writer.isAlone() ? MERGE_PAGES_ALONE : MERGE_PAGES;
          if (await writer.between(() => mergeSlice(writer.db, table, pages))) more = true;
        }
      }
      if (hasManyNewWords(writer.db)) await sortNewWords(writer, () => stopped);
      writer.background.onBackgroundSuccess("index-merge");
    } catch (error) {
      writer.background.onBackgroundError("index-merge", error);
    } finally {
      merging = false;
    }
  };

  writer.onCommit(() => {
    commits += 1;
    if (commits >= MERGE_AFTER_COMMITS) void merge();
    if (quiet !== undefined) quiet.refresh();
    else quiet = setTimeout(() => commits > 0 && void merge(), QUIET_MS).unref();
  });
  return {
    stop() {
      stopped = true;
      clearTimeout(quiet);
    },
  };
}

/**
 * The log is not synced for it: nobody is told of a merge, and the next commit syncs what stands before it in the log.
 * @returns whether there is more to do
 */
async function mergeSlice(db: Db, table: (typeof FULL_TEXT_TABLES)[number], pages: number): Promise<boolean> {
  const changes = db.sql<number>("SELECT total_changes()").pluck();
  db.raw.pragma("synchronous = NORMAL");
  try {
    await beginWrite(db);
    const before = changes.get() ?? 0;
    // A positive number: a negative one rewrites the largest segment too, and never ends.
    db.sql(`INSERT INTO ${table}(${table}, rank) VALUES('merge', ?)`).run(pages);
    const changed = (changes.get() ?? 0) - before;
    db.sql("COMMIT").run();
    return changed >= 2;
  } catch (error) {
    throw rollBack(db, error);
  } finally {
    // A file that is too damaged to be rolled back takes no further commits.
    if (!db.raw.inTransaction) db.raw.pragma("synchronous = FULL");
  }
}
