import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type BackgroundReporter, WARNING_REPORTER } from "../../../core/background.js";
import type { Clock } from "../../../ports/clock.js";
import { CHECKED_WRITE, checkedText } from "../../background/checked-write.js";
import type { JumpGuard } from "../../background/clock-jump.js";
import { type Db, writeMeta } from "./database.js";
import { makeGroupCommit, type WaitingWork } from "./group-commit.js";
import { mapError } from "./map-error.js";
import { makeWriteGate, type WriteGate } from "./write-gate.js";

/** After writing without a pause for so long, the lock stays free for longer than one poll of a neighbour. */
const STRETCH_MS = 100;
const PAUSE_MS = 2;

/** After another process wrote, it is expected to write again for so long. */
const OTHERS_MS = 10_000;

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
  /**
   * As `run` for all that `work` and its caller can see, but works that wait at the same time are committed together:
   * most of what a small transaction costs, its commit costs. `work` may be run twice, and then only the second counts.
   */
  share<T>(work: (now: number) => T | Promise<T>): Promise<T>;
  /** Does nobody seem to wait for its transactions, however long they are? */
  isAlone(): boolean;
  /** Runs maintenance in a turn of its own between transactions, which it begins itself; not followed by `onCommit`. */
  between<T>(work: () => T | Promise<T>): Promise<T>;
  /** `listener` is called after each commit of `run` or `share`, outside of it. One at most. */
  onCommit(listener: () => void): void;
  /** Resolves when all that was asked for before is done. */
  idle(): Promise<void>;
}

/** `maintenance` runs outside of a transaction, all else in one. */
interface Turn extends WaitingWork {
  readonly kind: "alone" | "shared" | "maintenance";
}

export interface WriterOptions extends Partial<Pick<Writer, "background" | "gate">> {
  /** Does nobody in this process wait for a single write? Those of other processes are seen when they write. */
  readonly isBulk?: boolean;
  /** Refuses writes while the clock is wrong; absent: the clock is not checked. */
  readonly jumps?: JumpGuard | undefined;
}

/** @param db a connection of the role writer, used for nothing else from now on */
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
      // Calls that have arrived are read first, so that they wait here by now and share the commit.
      await nextTurn();
      if (performance.now() - busySince > STRETCH_MS) {
        await sleep(PAUSE_MS);
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
    isAlone: () => isBulk && performance.now() - group.othersWroteAt() > OTHERS_MS,
    between: (work) => enqueue("maintenance", work),
    onCommit: (listener) => {
      afterCommit = listener;
    },
    // A closed gate is no reason to wait less.
    idle: () => enqueue("maintenance", () => undefined).catch(() => undefined),
  };
}

/** Begins nothing on a file that is damaged, and notes where one turns out to be. */
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
