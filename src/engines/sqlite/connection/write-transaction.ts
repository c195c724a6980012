import { setTimeout as sleep } from "node:timers/promises";
import { type BinderyError, isFileDamage } from "../../../core/errors.js";
import type { Db } from "./database.js";
import { isBusy, isUnreadable } from "./map-error.js";

/** Time that a transaction waits for another process that writes before it fails. */
const LOCK_WAIT_MS = 30_000;

/** SQLite's own busy wait sleeps up to 100 ms and so loses to a busy process; this one polls every millisecond. */
const LOCK_POLL_MS = 1;

/**
 * Takes the write lock and waits if another connection holds it.
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
 * Rolls back a transaction that failed with `error`, unless it has already ended.
 *
 * @returns the error to report. If the file is too damaged for a rollback, the next connection that opens it rolls
 * back.
 */
export function rollBack(db: Db, error: unknown): unknown {
  try {
    if (db.raw.inTransaction) db.sql("ROLLBACK").run();
    return error;
  } catch (refusal) {
    return isUnreadable(refusal) ? error : refusal;
  }
}

/**
 * Refuses all writes once the file is known to be damaged: further writes may destroy data that can still be read. All
 * connections of a writer share one gate.
 */
export interface WriteGate {
  /** @throws the reason why the gate is closed */
  check(): void;
  /** Closes the gate for as long as the store is open. */
  close(reason: BinderyError): void;
  /** Closes the gate if the error says that the file is damaged. */
  note(error: unknown): void;
}

export function makeWriteGate(): WriteGate {
  let closedBy: BinderyError | undefined;
  const close = (reason: BinderyError): void => {
    closedBy ??= reason;
  };
  return {
    check: () => {
      if (closedBy !== undefined) throw closedBy;
    },
    close,
    note: (error) => {
      if (isFileDamage(error)) close(error);
    },
  };
}

/** Gate of a repair, which writes because the file is damaged. */
export const OPEN_GATE: WriteGate = { check: () => undefined, close: () => undefined, note: () => undefined };
