import { setTimeout as sleep } from "node:timers/promises";
import type { CitationChange } from "../../../core/records/record-change.js";
import type { Clock } from "../../../ports/clock.js";
import type { RetryReason, StoreStats } from "../../../ports/engine.js";
import type { DraftUsage } from "../../../ports/store.js";
import type { JumpGuard } from "../../background/clock-jump.js";
import type { Change } from "./change.js";
import { DATABASE_MICROS, measuring, refuseOffset } from "./clock-offset.js";
import { literal, literalRows } from "./literal.js";
import { type Locks, makeLocks } from "./locks.js";
import { conflictOf, mapError } from "./map-error.js";
import type { Connection, Pool, Sql } from "./sql.js";

/** A transaction that writes. */
export interface OpenTransaction {
  readonly sql: Sql;
  /** Its instant in microseconds: later than every change that was committed before it began. */
  readonly now: number;
  readonly locks: Locks;
  /** Gets its number when the transaction ends, so that numbers rise in the order of commits. */
  note(change: Change): void;
  /** Is added to the counts when the transaction ends. */
  countCitations(changes: readonly CitationChange[]): void;
  /** Adds to the draft usage of an owner (by id). It is written when the transaction ends. */
  countDrafts(owner: string, change: DraftUsage): void;
  /** Returns the draft usage that this transaction has added. */
  draftsOf(owner: string): DraftUsage;
  /** Tells indexes that these terms are cited otherwise, by no change of their own: they replace another one. */
  touch(vocabulary: string, ids: readonly string[]): void;
}

/** Runs work as if alone. It is run again where it met another transaction. */
export type RunTransaction = <T>(work: (tx: OpenTransaction) => Promise<T>) => Promise<T>;

/** How often a transaction is run at most. */
const ATTEMPTS = 5;

/** Those that met wait for a random time, so that they do not meet again. */
const PAUSE_MS = 20;

/** What transactions have met. */
interface TransactionCounts extends Pick<StoreStats, "retries" | "commits"> {
  readonly retries: Record<RetryReason, number>;
  readonly commits: { count: number; seconds: number };
}

export const newCounts = (): TransactionCounts => ({
  retries: { deadlock: 0, serialization: 0, conflict: 0 },
  commits: { count: 0, seconds: 0 },
});

interface TransactionOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  /** By how much the clock may differ from that of the database; absent: by any time. */
  readonly offsetMaxMicros?: number;
  readonly counts?: TransactionCounts;
  /** Refuses writes while the clock is wrong; absent: the clock is not checked. */
  readonly jumps?: JumpGuard | undefined;
}

export function makeTransactions(options: TransactionOptions): RunTransaction {
  const { offsetMaxMicros = Number.POSITIVE_INFINITY, counts = newCounts() } = options;
  return async (work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await runOnce({ ...options, offsetMaxMicros, counts }, work);
      } catch (error) {
        const conflict = conflictOf(error);
        if (conflict === undefined || attempt === ATTEMPTS) throw mapError(error);
        counts.retries[conflict] += 1;
      }
      await sleep(Math.random() * PAUSE_MS * attempt);
    }
  };
}

const HEAD = `SELECT time, ${DATABASE_MICROS} FROM feed_head`;

interface Head {
  readonly time: number;
  readonly databaseMicros: number;
}

type RunOptions = TransactionOptions & Required<Pick<TransactionOptions, "offsetMaxMicros" | "counts">>;

async function runOnce<T>(
  { pool, clock, offsetMaxMicros, counts, jumps }: RunOptions,
  work: (tx: OpenTransaction) => Promise<T>,
): Promise<T> {
  const connection = await pool.connect();
  let isBroken = true;
  try {
    await connection.script("BEGIN");
    const { row: last, offset } = await measuring(clock, () => connection.row<Head>(HEAD));
    refuseOffset(offset, offsetMaxMicros);
    jumps?.check(last.time);
    const now = Math.max(clock.nowMicros(), last.time + 1);
    const changes: Change[] = [];
    const citations = new Map<string, CitationChange>();
    const drafts = new Map<string, DraftUsage>();
    const draftsOf = (owner: string): DraftUsage => drafts.get(owner) ?? { drafts: 0, bytes: 0 };
    const touched: TouchedTerm[] = [];
    const result = await work({
      sql: connection,
      now,
      locks: makeLocks(connection),
      note: (change) => void changes.push(change),
      countCitations: (counted) => {
        for (const change of counted) addTo(citations, change);
      },
      countDrafts: (owner, added) => {
        const before = draftsOf(owner);
        drafts.set(owner, { drafts: before.drafts + added.drafts, bytes: before.bytes + added.bytes });
      },
      draftsOf,
      touch: (vocabulary, ids) => {
        for (const id of ids) touched.push({ vocabulary, id });
      },
    });
    // Terms are ranked by the latest records that cite them.
    const recounted = [...citations.values()].filter(({ latest }) => latest !== 0);
    const numbering = numberingOf(changes, [...touched, ...recounted], now);
    const began = performance.now();
    await connection.script(`${countingOf(citations)}${draftCountingOf(drafts)}${numbering}COMMIT`);
    isBroken = false;
    counts.commits.count += 1;
    counts.commits.seconds += (performance.now() - began) / 1_000;
    return result;
  } catch (error) {
    isBroken = !(await isRolledBack(connection));
    throw error;
  } finally {
    connection.release(isBroken);
  }
}

/** Ends a transaction that failed. @returns false where the connection cannot be used again */
async function isRolledBack(connection: Connection): Promise<boolean> {
  try {
    await connection.script("ROLLBACK");
    return true;
  } catch {
    return false;
  }
}

type TouchedTerm = Pick<CitationChange, "vocabulary" | "id">;

function addTo(citations: Map<string, CitationChange>, { vocabulary, id, latest, others }: CitationChange): void {
  const key = JSON.stringify([vocabulary, id]);
  const before = citations.get(key) ?? { latest: 0, others: 0 };
  citations.set(key, { vocabulary, id, latest: before.latest + latest, others: before.others + others });
}

/** In one order, so that no two transactions wait for each other. */
function countingOf(citations: ReadonlyMap<string, CitationChange>): string {
  const counted = [...citations].filter(([, { latest, others }]) => latest !== 0 || others !== 0);
  if (counted.length === 0) return "";
  counted.sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = counted.map(([, { vocabulary, id, latest, others }]) => [vocabulary, id, latest, others]);
  return `INSERT INTO citation_count AS c (vocabulary, ext, latest, others) VALUES ${literalRows(rows)}
    ON CONFLICT (vocabulary, ext)
    DO UPDATE SET latest = c.latest + excluded.latest, others = c.others + excluded.others;`;
}

/** Returns the statement for `draft_usage`, in one order too. */
function draftCountingOf(drafts: ReadonlyMap<string, DraftUsage>): string {
  const changed = [...drafts].filter(([, { drafts, bytes }]) => drafts !== 0 || bytes !== 0);
  if (changed.length === 0) return "";
  changed.sort(([a], [b]) => (a < b ? -1 : 1));
  return `INSERT INTO draft_usage AS u (owner, drafts, bytes)
    VALUES ${literalRows(changed.map(([owner, { drafts, bytes }]) => [owner, drafts, bytes]))}
    ON CONFLICT (owner) DO UPDATE SET drafts = u.drafts + excluded.drafts, bytes = u.bytes + excluded.bytes;`;
}

/** What has a number where only terms were touched. */
const NO_RECORD: Change = { kind: "record", action: "reindexed", place: "", id: "" };

/**
 * Gives the changes their numbers, and the records that they are of. Whoever updates `feed_head` commits next: all that
 * comes with it is one message, so that the lock is held for no longer than the commit.
 */
function numberingOf(noted: readonly Change[], touched: readonly TouchedTerm[], now: number): string {
  const changes = noted.length === 0 && touched.length > 0 ? [NO_RECORD] : noted;
  if (changes.length === 0) return "";
  const rows = changes.map(({ kind, action, place, id, state = null, revision = null }, i) => [
    ...[i + 1, kind, action, place, id, state, revision],
  ]);
  return `WITH head AS (
      UPDATE feed_head SET seq = seq + ${changes.length}, row = row + ${changes.length},
        time = greatest(time + 1, ${literal(now)})
      RETURNING seq - ${changes.length} AS seq, row - ${changes.length} AS row, time),
    ${touching(touched, changes.length)}
    noted AS (
      INSERT INTO change(seq, time, kind, action, place, id, state, revision)
      SELECT head.seq + v.n, head.time, v.kind, v.action, v.place, v.id, v.state, v.revision::bigint
      FROM head, (VALUES ${literalRows(rows)}) v(n, kind, action, place, id, state, revision)
      ORDER BY v.n
      RETURNING seq, kind, id, state)
    UPDATE rec SET seq = noted.last, row = coalesce(rec.row, head.row + noted.first - head.seq)
    FROM head, (
      SELECT min(seq) AS first, max(seq) AS last, id, state FROM noted WHERE kind = 'record' GROUP BY id, state) noted
    WHERE rec.pid = noted.id AND rec.state = noted.state;`;
}

/** Notes touched terms with the last of so many changes, where there is an index that has to hear of it. */
function touching(terms: readonly TouchedTerm[], changes: number): string {
  if (terms.length === 0) return "";
  return `touched AS (
      INSERT INTO term_touched(seq, vocabulary, ext)
      SELECT DISTINCT head.seq + ${changes}, v.vocabulary, v.ext
      FROM head, (VALUES ${literalRows(terms.map(({ vocabulary, id }) => [vocabulary, id]))}) v(vocabulary, ext)
      WHERE EXISTS (SELECT FROM indexed)),`;
}
