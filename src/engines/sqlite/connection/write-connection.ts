import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type BackgroundReporter, WARNING_REPORTER } from "../../../core/background.js";
import { type BinderyError, fail, isFileDamage } from "../../../core/errors.js";
import type { Clock } from "../../../ports/environment.js";
import { CHECKED_WRITE, checkedText } from "../../background/checked-write.js";
import type { JumpGuard } from "../../background/clock-jump.js";
import { lastChangeTime } from "./change-table.js";
import { type Db, writeMeta } from "./database.js";
import { isBusy, isUnreadable, mapError } from "./map-error.js";

/** After writing without a pause for this time, the lock is released for longer than one poll of another process. */
const WRITE_STRETCH_MS = 100;
const WRITE_PAUSE_MS = 2;

/** Time for which another process that wrote is expected to write again. */
const NEIGHBOUR_MS = 10_000;

/** The write connection, which runs one transaction at a time. */
export interface Writer {
  readonly db: Db;
  /** Reporter of background work, which runs outside of transactions. */
  readonly background: BackgroundReporter;
  /** Gate that closes when the file turns out to be damaged. */
  readonly gate: WriteGate;
  /**
   * Runs `work` in a durable transaction of its own, after all earlier calls; a throw rolls it back.
   * @param work gets the instant of the transaction in microseconds, later than that of any earlier change
   * @throws BinderyError STORE_UNAVAILABLE; errors of `work`
   */
  run<T>(work: (now: number) => T | Promise<T>): Promise<T>;
  /**
   * Runs `work` like `run` as far as `work` and its caller can see, but commits works that wait at the same time
   * together: most of the cost of a small transaction is its commit. `work` may run twice; then only the second run
   * counts.
   */
  share<T>(work: (now: number) => T | Promise<T>): Promise<T>;
  /** Returns whether nobody seems to wait for the transactions of this writer, however long they are. */
  isAlone(): boolean;
  /** Runs maintenance between transactions. It begins its own transactions; `onCommit` is not called. */
  between<T>(work: () => T | Promise<T>): Promise<T>;
  /**
   * Sets the listener that is called after each commit of `run` or `share`, outside of the transaction. There is at
   * most one.
   */
  onCommit(listener: () => void): void;
  /** Resolves when all earlier calls are done. */
  idle(): Promise<void>;
}

/** Work in the queue. `maintenance` runs outside of a transaction, the other kinds in one. */
interface Turn extends WaitingWork {
  readonly kind: "alone" | "shared" | "maintenance";
}

/** Options of a writer. */
export interface WriterOptions {
  readonly background?: BackgroundReporter | undefined;
  readonly gate?: WriteGate;
  /** Whether no caller in this process waits for single writes. Other processes are noticed when they write. */
  readonly isBulk?: boolean;
  /** Refuses writes while the clock is wrong. If undefined, the clock is not checked. */
  readonly jumps?: JumpGuard | undefined;
}

/** Makes the writer of a connection. @param db connection with the role writer, used for nothing else from now on */
export function makeWriter(
  db: Db,
  clock: Clock,
  { background = WARNING_REPORTER, gate = makeWriteGate(), isBulk = false, jumps }: WriterOptions = {},
): Writer {
  const queue: Turn[] = [];
  let isServing = false;
  let afterCommit = (): void => undefined;
  db.raw.pragma("busy_timeout = 0");
  const group = makeGroupCommit(db, { clock, jumps }, gate, () => afterCommit());
  const nextShared = (): Turn | undefined => (queue[0]?.kind === "shared" ? queue.shift() : undefined);

  const serve = async (): Promise<void> => {
    for (let busySince = performance.now(); queue.length > 0; ) {
      // Calls that have arrived are read first, so that they join the queue and share the commit.
      await nextTurn();
      if (performance.now() - busySince > WRITE_STRETCH_MS) {
        await sleep(WRITE_PAUSE_MS);
        busySince = performance.now();
      }
      const turn = queue.shift() as Turn;
      if (turn.kind === "maintenance") await maintain(gate, turn);
      else await group.commit(turn, turn.kind === "shared" ? nextShared : () => undefined);
    }
    isServing = false;
  };

  const enqueue = <T>(kind: Turn["kind"], run: (now: number) => T | Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      queue.push({ kind, run, resolve: resolve as WaitingWork["resolve"], reject });
      if (isServing) return;
      isServing = true;
      void serve();
    });

  return {
    db,
    background,
    gate,
    run: (work) => enqueue("alone", work),
    share: (work) => enqueue("shared", work),
    isAlone: () => isBulk && performance.now() - group.othersWroteAt() > NEIGHBOUR_MS,
    between: (work) => enqueue("maintenance", work),
    onCommit: (listener) => {
      afterCommit = listener;
    },
    // A closed gate does not shorten the wait.
    idle: () => enqueue("maintenance", () => undefined).catch(() => undefined),
  };
}

/** Runs maintenance, except on a damaged file, and closes the gate if the file turns out to be damaged. */
async function maintain(gate: WriteGate, { run, resolve, reject }: WaitingWork): Promise<void> {
  try {
    gate.check();
    resolve(await run(0));
  } catch (error) {
    const mapped = mapError(error);
    gate.note(mapped);
    reject(mapped);
  }
}

/** Writes a row and deletes it again, each in a durable transaction; see `Store.checkWrites`. */
export async function checkWrites(writer: Writer): Promise<void> {
  const { db } = writer;
  await writer.run(() => writeMeta(db.raw, CHECKED_WRITE, checkedText()));
  await writer.run(() => void db.sql("DELETE FROM meta WHERE name = ?").run(CHECKED_WRITE));
}

/** Time after which no work is added to a group, because those in it wait for their commit. */
const GROUP_MS = 25;

/** Work that waits for its turn, with its caller. */
interface WaitingWork {
  /** Runs the work. @param now instant of the transaction in microseconds, later than that of any earlier change */
  run(now: number): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Result of running works in one transaction: all of them were committed, or none. */
interface Attempt {
  readonly works: readonly WaitingWork[];
  /** Reason why nothing was committed. The callers have not been answered yet. */
  readonly failure?: unknown;
}

/** Commits waiting works. */
interface GroupCommit {
  /**
   * Runs `first` and the works that `next` returns, as long as they need no waiting, in one durable transaction. Each
   * caller is answered after the commit, as if its work had run alone: a work that fails before it wrote anything fails
   * by itself; if one fails later, all are rolled back and each runs again alone.
   */
  commit(first: WaitingWork, next: () => WaitingWork | undefined): Promise<void>;
  /** Returns when another process was last seen to have written, by `performance.now()`. */
  othersWroteAt(): number;
}

/** The clock of the transactions and its guard. */
interface WriteClock {
  readonly clock: Clock;
  /** If undefined, any instant is accepted. */
  readonly jumps?: JumpGuard | undefined;
}

/** Makes a group commit. @param afterCommit called after each commit, before the callers are answered */
function makeGroupCommit(db: Db, { clock, jumps }: WriteClock, gate: WriteGate, afterCommit: () => void): GroupCommit {
  let lastNow = 0;
  let othersWroteAt = Number.NEGATIVE_INFINITY;

  /** Runs one work. @returns a function that answers the caller. @throws if it failed after it had written something */
  const runOne = async ({ run, resolve, reject }: WaitingWork): Promise<() => void> => {
    lastNow = Math.max(clock.nowMicros(), lastNow + 1);
    const changesBefore = countChanges(db);
    try {
      gate.check();
      const result = await run(lastNow);
      // A full disk makes SQLite roll back on its own. Work that ran after that must not count as done.
      if (!db.raw.inTransaction) throw fail("STORE_UNAVAILABLE", { reason: "the transaction was rolled back" });
      return () => resolve(result);
    } catch (error) {
      if (!db.raw.inTransaction || countChanges(db) !== changesBefore) throw error;
      const mapped = mapError(error);
      gate.note(mapped);
      return () => reject(mapped);
    }
  };

  const attempt = async (first: WaitingWork, next: () => WaitingWork | undefined): Promise<Attempt> => {
    const works: WaitingWork[] = [];
    const replies: (() => void)[] = [];
    try {
      gate.check();
      await beginWrite(db);
      // Written by others before. The works below write later changes, each at its own instant.
      const lastTime = lastChangeTime(db);
      jumps?.check(lastTime);
      if (lastNow > 0 && lastTime > lastNow) othersWroteAt = performance.now();
      lastNow = Math.max(lastNow, lastTime);
      const until = performance.now() + GROUP_MS;
      for (let work: WaitingWork | undefined = first; work !== undefined; ) {
        works.push(work);
        replies.push(await runOne(work));
        work = performance.now() < until ? next() : undefined;
      }
      db.sql("COMMIT").run();
    } catch (error) {
      const failure = mapError(rollBack(db, error));
      gate.note(failure);
      return { works: works.length === 0 ? [first] : works, failure };
    }
    afterCommit();
    for (const reply of replies) reply();
    return { works };
  };

  return {
    othersWroteAt: () => othersWroteAt,
    async commit(first, next) {
      const { works, failure } = await attempt(first, next);
      if (failure === undefined) return;
      if (works.length === 1) return first.reject(failure);
      for (const work of works) {
        const retry = await attempt(work, () => undefined);
        if (retry.failure !== undefined) work.reject(retry.failure);
      }
    },
  };
}

const countChanges = (db: Db): number => db.sql<number>("SELECT total_changes()").pluck().get() ?? 0;

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
interface WriteGate {
  /** @throws the reason why the gate is closed */
  check(): void;
  /** Closes the gate for as long as the store is open. */
  close(reason: BinderyError): void;
  /** Closes the gate if the error says that the file is damaged. */
  note(error: unknown): void;
}

function makeWriteGate(): WriteGate {
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
