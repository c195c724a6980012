import type { Db } from "../connection/database.js";
import { beginWrite, rollBack, type Writer } from "../connection/write-connection.js";
import { hasManyNewWords, sortNewWords } from "../lexicon/record-words.js";

/**
 * Each commit leaves a segment in the full-text tables; after this number of commits they are merged. The end of a
 * slice rewrites the first page of each segment that is being merged, so a slice covers all of them.
 */
const MERGE_AFTER_COMMITS = 64;

/** Pages of a full-text table that one slice of merging writes (a few milliseconds), and the number if nobody waits. */
const MERGE_PAGES = 256;
const MERGE_PAGES_ALONE = 1024;

/** Time without writes after which segments are merged. */
const QUIET_MS = 500;

/** Interval at which commits of other connections to the file are noticed. */
const CHECK_OTHERS_MS = 1_000;

const FULL_TEXT_TABLES = ["leaf", "elem"] as const;

/**
 * Merges full-text segments in slices between transactions, and sorts new words into the word table. Commits of other
 * connections count too, also those before the start: a command that ended, or a process that was killed, may have left
 * hundreds of segments, all of which every search would read. Failures (a full disk) are reported and retried later; no
 * acknowledged data depends on merges.
 */
export function startSegmentMerges(writer: Writer, checkOthersMs = CHECK_OTHERS_MS): { stop(): void } {
  const dataVersion = writer.db.sql<number>("PRAGMA data_version").pluck();
  let versionBefore: number | undefined;
  let hasOtherCommits = false;
  let commits = 0;
  let isMerging = false;
  let isStopped = false;
  let quietTimer: NodeJS.Timeout | undefined;

  const merge = async (): Promise<void> => {
    if (isMerging) return;
    isMerging = true;
    commits = 0;
    try {
      for (let hasMore = true; hasMore; ) {
        hasMore = false;
        for (const table of FULL_TEXT_TABLES) {
          if (isStopped) return;
          const pages = writer.isAlone() ? MERGE_PAGES_ALONE : MERGE_PAGES;
          if (await writer.between(() => mergeSlice(writer.db, table, pages))) hasMore = true;
        }
      }
      if (hasManyNewWords(writer.db)) await sortNewWords(writer, () => isStopped);
      writer.background.onBackgroundSuccess("index-merge");
    } catch (error) {
      writer.background.onBackgroundError("index-merge", error);
    } finally {
      isMerging = false;
    }
  };

  /** Merges after the first interval in which no other connection committed. */
  const checkOthers = (): void => {
    try {
      const version = dataVersion.get();
      if (version !== versionBefore) {
        versionBefore = version;
        hasOtherCommits = true;
      } else if (hasOtherCommits) {
        hasOtherCommits = false;
        void merge();
      }
    } catch (error) {
      writer.background.onBackgroundError("index-merge", error);
    }
  };

  const othersTimer = setInterval(checkOthers, checkOthersMs).unref();
  writer.onCommit(() => {
    commits += 1;
    if (commits >= MERGE_AFTER_COMMITS) void merge();
    if (quietTimer !== undefined) quietTimer.refresh();
    else quietTimer = setTimeout(() => commits > 0 && void merge(), QUIET_MS).unref();
  });
  return {
    stop() {
      isStopped = true;
      clearTimeout(quietTimer);
      clearInterval(othersTimer);
    },
  };
}

/**
 * Merges one slice. The log is not synced: a merge need not be durable, and the next commit syncs the earlier log.
 * @returns whether there is more to do
 */
async function mergeSlice(db: Db, table: (typeof FULL_TEXT_TABLES)[number], pages: number): Promise<boolean> {
  const changes = db.sql<number>("SELECT total_changes()").pluck();
  db.raw.pragma("synchronous = NORMAL");
  try {
    await beginWrite(db);
    const changesBefore = changes.get() ?? 0;
    // A positive number: a negative one rewrites the largest segment too and never ends.
    db.sql(`INSERT INTO ${table}(${table}, rank) VALUES('merge', ?)`).run(pages);
    const changed = (changes.get() ?? 0) - changesBefore;
    db.sql("COMMIT").run();
    return changed >= 2;
  } catch (error) {
    throw rollBack(db, error);
  } finally {
    // A file that is too damaged for a rollback accepts no further commits.
    if (!db.raw.inTransaction) db.raw.pragma("synchronous = FULL");
  }
}
