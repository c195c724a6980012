import { setTimeout as sleep } from "node:timers/promises";
import { type BackgroundReporter, WARNING_REPORTER } from "../../../core/background.js";
import { fail } from "../../../core/errors.js";
import type { Clock } from "../../../ports/clock.js";
import { lastChangeTime } from "./change-table.js";
import type { Db } from "./database.js";
import { isBusy, isUnreadable, mapError } from "./map-error.js";
import { makeWriteGate, type WriteGate } from "./write-gate.js";

/** How long a transaction waits for another process that writes, before it gives up. */
const LOCK_WAIT_MS = 30_000;

/** SQLite's own busy wait sleeps up to 100 ms and so loses to a busy neighbour; this one asks every millisecond. */
const LOCK_POLL_MS = 1;

/** After writing without a pause for so long, the lock stays free for longer than one poll of a neighbour. */
const STRETCH_MS = 100;
const PAUSE_MS = 2;

/** The write connection, one transaction at a time. */
export interface Writer {
  readonly db: Db;
  /** Hears of what is done beside transactions. */
  readonly background: BackgroundReporter;
  /** Closes when the file turns out to be damaged. */
  readonly gate: WriteGate;
  /**
   * Runs `work` in a durable transaction of its own, after those that were asked for before; a throw rolls it back.
   * @param work gets the instant of the transaction in microseconds, later than that of any change before it
   * @throws BinderyError STORE_UNAVAILABLE; what `work` throws
   */
  run<T>(work: (now: number) => T | Promise<T>): Promise<T>;
  /** Runs maintenance outside of a transaction, in its turn among them; not followed by `onCommit`. */
  between<T>(work: () => T): Promise<T>;
  /** `listener` is called after each transaction of `run`, outside of it. One at most. */
  onCommit(listener: () => void): void;
  /** Resolves when all that was asked for before is done. */
  idle(): Promise<void>;
}

/** @param db a connection of the role writer, used for nothing else from now on */
export function makeWriter(
  db: Db,
  clock: Clock,
  { background = WARNING_REPORTER, gate = makeWriteGate() }: Partial<Pick<Writer, "background" | "gate">> = {},
): Writer {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let lastNow = 0;
  let busySince = 0;
  let afterCommit = (): void => undefined;
  db.raw.pragma("busy_timeout = 0");

  const transact = async <T>(work: (now: number) => T | Promise<T>): Promise<T> => {
    try {
      await begin(db);
      const now = Math.max(clock.nowMicros(), lastChangeTime(db) + 1, lastNow + 1);
      const result = await work(now);
      // A full disk makes SQLite roll back by itself; what ran after that must not count as done.
      if (!db.raw.inTransaction) throw fail("STORE_UNAVAILABLE", { reason: "the transaction was rolled back" });
      db.sql("COMMIT").run();
      lastNow = now;
      return result;
    } catch (error) {
      if (db.raw.inTransaction) rollBack(db);
      throw error;
    }
  };

  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    waiting += 1;
    const mine = last.then(async () => {
      const start = performance.now();
      if (busySince === 0) busySince = start;
      if (start - busySince > STRETCH_MS) {
        await sleep(PAUSE_MS);
        busySince = performance.now();
      }
      try {
        return await work();
      } finally {
        waiting -= 1;
        if (waiting === 0) busySince = 0;
      }
    });
    last = mine.catch(() => undefined);
    return mine;
  };

  return {
    db,
    background,
    gate,
    run: (work) =>
      enqueue(async () => {
        const result = await guard(gate, () => transact(work));
        afterCommit();
        return result;
      }),
    between: (work) => enqueue(() => guard(gate, work)),
    onCommit: (listener) => {
      afterCommit = listener;
    },
    idle: async () => void (await last),
  };
}

/** Begins nothing on a file that is damaged, and notes where one turns out to be. */
async function guard<T>(gate: WriteGate, work: () => T | Promise<T>): Promise<T> {
  gate.check();
  try {
    return await work();
  } catch (error) {
    const mapped = mapError(error);
    gate.note(mapped);
    throw mapped;
  }
}

/** A file that is too damaged for it is rolled back by whoever opens it next. */
function rollBack(db: Db): void {
  try {
    db.sql("ROLLBACK").run();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
  }
}

async function begin(db: Db): Promise<void> {
  const until = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      db.sql("BEGIN IMMEDIATE").run();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
    }
    await sleep(LOCK_POLL_MS + Math.random());
  }
}
