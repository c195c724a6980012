import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type BackgroundReporter, WARNING_REPORTER } from "../../../core/background.js";
import type { Clock } from "../../../ports/environment.js";
import { CHECKED_WRITE, checkedText } from "../../background/checked-write.js";
import type { JumpGuard } from "../../background/clock-jump.js";
import { type Db, writeMeta } from "./database.js";
import { makeGroupCommit, type WaitingWork } from "./group-commit.js";
import { mapError } from "./map-error.js";
import { makeWriteGate, type WriteGate } from "./write-transaction.js";

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

export interface WriterOptions extends Partial<Pick<Writer, "background" | "gate">> {
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
