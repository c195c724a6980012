import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fail } from "../../../../core/errors.js";
import { type Db, openDatabase } from "../../connection/database.js";
import { makeWriter, type Writer } from "../../connection/write-connection.js";
import { heartbeatTime } from "../store/make-generation.js";

/** A transaction holds the write lock so long at most, its commit not counted. */
const STEP_MS = 30;

/** Pages written to the log after which the load writes it back itself: 32 MiB. */
const CHECKPOINT_PAGES = 4_096;

/**
 * The connection of a bulk load beside the one that transactions use, with a database of its own for what is sorted
 * (`scratch`, temporary, on disk), so that collecting and sorting takes no lock.
 */
export interface BulkLoader {
  readonly db: Db;
  /** Does what touches `scratch` only (and reads) in one go. */
  scratch<T>(work: () => T): T;
  /**
   * Calls `work` in one transaction after the other until it says that it is done; it has to return when `isLate`.
   * Between two the lock is free for as long as it was held.
   */
  steps(work: (isLate: () => boolean) => "more" | "done"): Promise<void>;
  close(): void;
}

/** @param isStopped when true no further transaction begins: `steps` throws */
export function openBulkLoader(writer: Writer, isStopped: () => boolean = () => false): BulkLoader {
  const db = openDatabase(dirname(writer.db.raw.name), "writer");
  const { raw } = db;
  raw.pragma("temp_store = FILE");
  raw.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  // Nothing is current before the switch, which another connection commits with all that stands before it in the log.
  raw.pragma("synchronous = NORMAL");
  raw.exec("ATTACH '' AS scratch");
  raw.pragma("scratch.journal_mode = OFF");
  raw.pragma("scratch.synchronous = OFF");
  raw.pragma("scratch.cache_size = -65536");
  const { run } = makeWriter(db, { nowMicros: heartbeatTime }, writer);
  let heldMs = 0;
  let freedAt = 0;

  return {
    db,
    scratch: (work) => raw.transaction(work)(),
    async steps(work) {
      for (;;) {
        const restMs = heldMs - (performance.now() - freedAt);
        if (restMs > 0) await sleep(restMs);
        if (isStopped()) throw fail("STORE_UNAVAILABLE", { reason: "the service is stopping" });
        let start = 0;
        const outcome = await run(() => {
          start = performance.now();
          return work(() => performance.now() - start > STEP_MS);
        });
        freedAt = performance.now();
        heldMs = freedAt - start;
        if (outcome === "done") return;
      }
    },
    close: () => db.close(),
  };
}
