import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "better-sqlite3";
import { fail } from "../../../../core/errors.js";
import { type Db, openDatabase } from "../../connection/database.js";
import { mapError } from "../../connection/map-error.js";
import { makeWriter, type Writer } from "../../connection/write-connection.js";
import type { TextBuilder } from "../store/build-texts.js";
import { heartbeatTime } from "../store/make-generation.js";

/** A transaction holds the write lock so long at most, its commit not counted. */
const STEP_MS = 30;

/** The lock is free for longer than whoever waits for it takes to ask again, see write-connection.ts. */
const PAUSE_MS = 3;

/** Pages written to the log after which the load writes it back itself: 32 MiB. */
const CHECKPOINT_PAGES = 4_096;

/**
 * The connection of a bulk load beside the one that transactions use, with a database of its own for what is sorted
 * (`scratch`, temporary, on disk), so that collecting and sorting takes no lock.
 */
export interface BulkLoader {
  readonly db: Db;
  /** Builds the full-text tables of large loads. Absent: it is done here. */
  readonly builder: TextBuilder | undefined;
  /** Does what touches `scratch` only (and reads) in one go. */
  scratch<T>(work: () => T): T;
  /**
   * Calls `work` in one transaction after the other until it says that it is done; it has to return when `isLate`.
   * Between two the lock is free for long enough to be taken, and for as long as it was held while others write.
   */
  steps(work: (isLate: () => boolean) => "more" | "done"): Promise<void>;
  close(): void;
}

/**
 * @param isStopped when true no further transaction begins: `steps` throws
 * @param builder see `BulkLoader`
 */
export function openBulkLoader(
  writer: Writer,
  isStopped: () => boolean = () => false,
  builder?: TextBuilder,
): BulkLoader {
  const db = openDatabase(dirname(writer.db.raw.name), "writer");
  const { raw } = db;
  try {
    addScratch(raw);
  } catch (error) {
    db.close();
    throw mapError(error);
  }
  const { run } = makeWriter(db, { nowMicros: heartbeatTime }, writer);
  /** Rises with each commit of another connection. */
  const commitsOfOthers = (): unknown => raw.pragma("main.data_version", { simple: true });
  let seen: unknown;
  let freedAt = 0;
  let restMs = 0;

  return {
    db,
    builder,
    scratch: (work) => raw.transaction(work)(),
    async steps(work) {
      for (;;) {
        const leftMs = restMs - (performance.now() - freedAt);
        if (leftMs > 0) await sleep(leftMs);
        if (isStopped()) throw fail("STORE_UNAVAILABLE", { reason: "the service is stopping" });
        let start = 0;
        let isAlone = false;
        const outcome = await run(() => {
          start = performance.now();
          const before = seen;
          seen = commitsOfOthers();
          isAlone = seen === before;
          return work(() => performance.now() - start > STEP_MS);
        });
        freedAt = performance.now();
        restMs = isAlone ? PAUSE_MS : Math.max(PAUSE_MS, freedAt - start);
        if (outcome === "done") return;
      }
    },
    close: () => db.close(),
  };
}

/** Sets the connection up for a load, and gives it the database for what is sorted. */
function addScratch(raw: Database): void {
  raw.pragma("temp_store = FILE");
  raw.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  // Nothing is current before the switch, which another connection commits with all that stands before it in the log.
  raw.pragma("synchronous = NORMAL");
  raw.exec("ATTACH '' AS scratch");
  raw.pragma("scratch.journal_mode = OFF");
  raw.pragma("scratch.synchronous = OFF");
  raw.pragma("scratch.cache_size = -32768");
}
