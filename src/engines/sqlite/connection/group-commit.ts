import { fail } from "../../../core/errors.js";
import type { Clock } from "../../../ports/clock.js";
import type { JumpGuard } from "../../background/clock-jump.js";
import { lastChangeTime } from "./change-table.js";
import type { Db } from "./database.js";
import { mapError } from "./map-error.js";
import type { WriteGate } from "./write-gate.js";
import { beginWrite, rollBack } from "./write-transaction.js";

/** No work is added to a group that has run for so long: those in it wait for their commit. */
const GROUP_MS = 25;

/** Work that waits for its turn, and its caller. */
export interface WaitingWork {
  /** @param now the instant of its transaction in microseconds, later than that of any change before it */
  run(now: number): unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** What became of works that ran in one transaction: all of it was committed, or nothing. */
interface Attempt {
  readonly works: readonly WaitingWork[];
  /** Why nothing was committed; no caller was told anything yet. */
  readonly failure?: unknown;
}

/** Commits what waits. */
interface GroupCommit {
  /**
   * Runs `first`, and what `next` gives after it for as long as that takes no time, in one durable transaction. Each
   * caller is told after the commit, and what it would have been told had its work been alone: a work that fails before
   * it wrote anything fails by itself; where one fails later, all is rolled back and each is run again alone.
   */
  commit(first: WaitingWork, next: () => WaitingWork | undefined): Promise<void>;
  /** When another process was last seen to have written, by `performance.now()`. */
  othersWroteAt(): number;
}

/** The clock of the transactions, and its guard. */
interface WriteClock {
  readonly clock: Clock;
  /** Absent: any instant is accepted. */
  readonly jumps?: JumpGuard | undefined;
}

/** @param afterCommit called after each commit, before the callers are told of it */
export function makeGroupCommit(
  db: Db,
  { clock, jumps }: WriteClock,
  gate: WriteGate,
  afterCommit: () => void,
): GroupCommit {
  let lastNow = 0;
  let othersWroteAt = Number.NEGATIVE_INFINITY;

  /** @returns tells the caller; not before the commit. @throws where it failed after it had written something */
  const runOne = async ({ run, resolve, reject }: WaitingWork): Promise<() => void> => {
    lastNow = Math.max(clock.nowMicros(), lastNow + 1);
    const before = countChanges(db);
    try {
      gate.check();
      const result = await run(lastNow);
      // A full disk makes SQLite roll back by itself; what ran after that must not count as done.
      if (!db.raw.inTransaction) throw fail("STORE_UNAVAILABLE", { reason: "the transaction was rolled back" });
      return () => resolve(result);
    } catch (error) {
      if (!db.raw.inTransaction || countChanges(db) !== before) throw error;
      const mapped = mapError(error);
      gate.note(mapped);
      return () => reject(mapped);
    }
  };

  const attempt = async (first: WaitingWork, next: () => WaitingWork | undefined): Promise<Attempt> => {
    const works: WaitingWork[] = [];
    const tellings: (() => void)[] = [];
    try {
      gate.check();
      await beginWrite(db);
      // Of another process, or of an earlier one. Later ones are those of the works below, each at its own instant.
      const lastTime = lastChangeTime(db);
      jumps?.check(lastTime);
      if (lastNow > 0 && lastTime > lastNow) othersWroteAt = performance.now();
      lastNow = Math.max(lastNow, lastTime);
      const until = performance.now() + GROUP_MS;
      for (let work: WaitingWork | undefined = first; work !== undefined; ) {
        works.push(work);
        tellings.push(await runOne(work));
        work = performance.now() < until ? next() : undefined;
      }
      db.sql("COMMIT").run();
    } catch (error) {
      const failure = mapError(rollBack(db, error));
      gate.note(failure);
      return { works: works.length === 0 ? [first] : works, failure };
    }
    afterCommit();
    for (const tell of tellings) tell();
    return { works };
  };

  return {
    othersWroteAt: () => othersWroteAt,
    async commit(first, next) {
      const { works, failure } = await attempt(first, next);
      if (failure === undefined) return;
      if (works.length === 1) return first.reject(failure);
      for (const work of works) {
        const alone = await attempt(work, () => undefined);
        if (alone.failure !== undefined) work.reject(alone.failure);
      }
    },
  };
}

const countChanges = (db: Db): number => db.sql<number>("SELECT total_changes()").pluck().get() ?? 0;
