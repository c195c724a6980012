import { fail } from "../../../core/errors.js";
import type { Clock } from "../../../ports/environment.js";
import type { JumpGuard } from "../../background/clock-jump.js";
import { lastChangeTime } from "./change-table.js";
import type { Db } from "./database.js";
import { mapError } from "./map-error.js";
import { beginWrite, rollBack, type WriteGate } from "./write-transaction.js";

/** Time after which no work is added to a group, because those in it wait for their commit. */
const GROUP_MS = 25;

/** Work that waits for its turn, with its caller. */
export interface WaitingWork {
  /** Does the work. @param now instant of the transaction in microseconds, later than that of any earlier change */
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
export function makeGroupCommit(
  db: Db,
  { clock, jumps }: WriteClock,
  gate: WriteGate,
  afterCommit: () => void,
): GroupCommit {
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
