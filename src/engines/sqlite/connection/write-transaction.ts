import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "./database.js";
import { isBusy, isUnreadable } from "./map-error.js";

/** How long a transaction waits for another process that writes, before it gives up. */
const LOCK_WAIT_MS = 30_000;

/** SQLite's own busy wait sleeps up to 100 ms and so loses to a busy neighbour; this one asks every millisecond. */
const LOCK_POLL_MS = 1;

/**
 * Takes the write lock, and waits where another connection holds it.
 *
 * @throws SqliteError SQLITE_BUSY after half a minute
 */
export async function beginWrite(db: Db): Promise<void> {
  const until = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      db.sql("BEGIN IMMEDIATE").run();
      db.transactions += 1;
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
    }
    await sleep(LOCK_POLL_MS + Math.random());
  }
}

/**
 * Ends a transaction that failed with `error`, if it has not ended by itself.
 *
 * @returns the error to tell of. A file that is too damaged for it is rolled back by whoever opens it next.
 */
export function rollBack(db: Db, error: unknown): unknown {
  try {
    if (db.raw.inTransaction) db.sql("ROLLBACK").run();
    return error;
  } catch (refusal) {
    return isUnreadable(refusal) ? error : refusal;
  }
}
