import { setTimeout as sleep } from "node:timers/promises";
import type { CitationChange } from "../../../core/records/record-change.js";
import type { RetryReason, StoreStats } from "../../../ports/engine.js";
import type { Clock } from "../../../ports/environment.js";
import type { DraftUsage } from "../../../ports/store.js";
import { CHECKED_WRITE, checkedText } from "../../background/checked-write.js";
import type { JumpGuard } from "../../background/clock-jump.js";
import { DATABASE_MICROS, refuseOffset, withOffset } from "./clock-offset.js";
import { conflictOf, mapError } from "./map-error.js";
import { type Connection, literal, literalRows, type Pool, type Sql } from "./sql.js";

/** A row of the table `change`. The change feed and the search index read it to learn about a write. */
export interface Change {
  readonly kind: "record" | "term";
  readonly action: "published" | "updated" | "created" | "removed" | "imported" | "shared" | "reindexed";
  /** Model or vocabulary. */
  readonly place: string;
  /** For `reindexed`, both states of the record. For an import, its number, which its entries in `change_term` have. */
  readonly id: string;
  readonly state?: "draft" | "published";
  readonly revision?: number;
}

/** A transaction that writes. */
export interface OpenTransaction {
  readonly sql: Sql;
  /** Its instant in microseconds, later than every change that was committed before it began. */
  readonly now: number;
  readonly locks: Locks;
  /** Adds a change. It gets its number when the transaction ends, so that numbers rise in the order of commits. */
  note(change: Change): void;
  /** Adds to the citation counts, which are written when the transaction ends. */
  countCitations(changes: readonly CitationChange[]): void;
  /** Adds to the draft usage of an owner (by id). It is written when the transaction ends. */
  countDrafts(owner: string, change: DraftUsage): void;
  /** Returns the draft usage that this transaction has added. */
  draftsOf(owner: string): DraftUsage;
  /**
   * Informs indexes that the citation count of these terms changed without a change of their own, because they replace
   * another term.
   */
  touch(vocabulary: string, ids: readonly string[]): void;
}

/** Runs work as if no other transaction ran. Runs it again if it conflicted with another transaction. */
export type RunTransaction = <T>(work: (tx: OpenTransaction) => Promise<T>) => Promise<T>;

/** Maximum number of attempts. */
const ATTEMPTS = 5;

/** Conflicting transactions wait for a random time, so that they do not conflict again. */
const PAUSE_MS = 20;

/** Statistics of transactions. */
interface TransactionCounts extends Pick<StoreStats, "retries" | "commits"> {
  readonly retries: Record<RetryReason, number>;
  readonly commits: { count: number; seconds: number };
}

/** Returns the counts of a new store: all of them are 0. */
export const newCounts = (): TransactionCounts => ({
  retries: { deadlock: 0, serialization: 0, conflict: 0 },
  commits: { count: 0, seconds: 0 },
});

interface TransactionOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  /** Maximum difference between the clock and that of the database; undefined: any. */
  readonly offsetMaxMicros?: number | undefined;
  readonly counts?: TransactionCounts;
  /** Refuses writes while the clock is wrong. If undefined, the clock is not checked. */
  readonly jumps?: JumpGuard | undefined;
}

/** Makes the function that runs the write transactions of a store. */
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

type RunOptions = TransactionOptions & { readonly offsetMaxMicros: number; readonly counts: TransactionCounts };

async function runOnce<T>(
  { pool, clock, offsetMaxMicros, counts, jumps }: RunOptions,
  work: (tx: OpenTransaction) => Promise<T>,
): Promise<T> {
  const connection = await pool.connect();
  let isBroken = true;
  try {
    await connection.script("BEGIN");
    const { row: last, offset } = await withOffset(clock, () => connection.row<Head>(HEAD));
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
        const previous = draftsOf(owner);
        drafts.set(owner, { drafts: previous.drafts + added.drafts, bytes: previous.bytes + added.bytes });
      },
      draftsOf,
      touch: (vocabulary, ids) => {
        for (const id of ids) touched.push({ vocabulary, id });
      },
    });
    // The rank of terms depends on the number of latest records that cite them.
    const recounted = [...citations.values()].filter(({ latest }) => latest !== 0);
    const numbers = numberingStatement(changes, [...touched, ...recounted], now);
    const commitStartedAt = performance.now();
    await connection.script(`${citationStatement(citations)}${draftStatement(drafts)}${numbers}COMMIT`);
    isBroken = false;
    counts.commits.count += 1;
    counts.commits.seconds += (performance.now() - commitStartedAt) / 1_000;
    return result;
  } catch (error) {
    isBroken = !(await isRolledBack(connection));
    throw error;
  } finally {
    connection.release(isBroken);
  }
}

/** Rolls back a failed transaction. @returns false if the connection cannot be used again */
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
  const previous = citations.get(key) ?? { latest: 0, others: 0 };
  citations.set(key, { vocabulary, id, latest: previous.latest + latest, others: previous.others + others });
}

/** Returns the statement for citation counts, in one order, so that no two transactions wait for each other. */
function citationStatement(citations: ReadonlyMap<string, CitationChange>): string {
  const counted = [...citations].filter(([, { latest, others }]) => latest !== 0 || others !== 0);
  if (counted.length === 0) return "";
  counted.sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = counted.map(([, { vocabulary, id, latest, others }]) => [vocabulary, id, latest, others]);
  return `INSERT INTO citation_count AS c (vocabulary, ext, latest, others) VALUES ${literalRows(rows)}
    ON CONFLICT (vocabulary, ext)
    DO UPDATE SET latest = c.latest + excluded.latest, others = c.others + excluded.others;`;
}

/** Returns the statement for `draft_usage`, in one order too. */
function draftStatement(drafts: ReadonlyMap<string, DraftUsage>): string {
  const changed = [...drafts].filter(([, { drafts, bytes }]) => drafts !== 0 || bytes !== 0);
  if (changed.length === 0) return "";
  changed.sort(([a], [b]) => (a < b ? -1 : 1));
  return `INSERT INTO draft_usage AS u (owner, drafts, bytes)
    VALUES ${literalRows(changed.map(([owner, { drafts, bytes }]) => [owner, drafts, bytes]))}
    ON CONFLICT (owner) DO UPDATE SET drafts = u.drafts + excluded.drafts, bytes = u.bytes + excluded.bytes;`;
}

/** Change that gets the number if only terms were touched. */
const NO_RECORD: Change = { kind: "record", action: "reindexed", place: "", id: "" };

/**
 * Returns the statement that assigns numbers to the changes and their records. The transaction that updates `feed_head`
 * commits next: the statement is sent together with the commit, so that the lock is held no longer than the commit.
 */
function numberingStatement(notedChanges: readonly Change[], touched: readonly TouchedTerm[], now: number): string {
  const changes = notedChanges.length === 0 && touched.length > 0 ? [NO_RECORD] : notedChanges;
  if (changes.length === 0) return "";
  const rows = changes.map(({ kind, action, place, id, state = null, revision = null }, i) => {
    return [i + 1, kind, action, place, id, state, revision];
  });
  return `WITH head AS (
      UPDATE feed_head SET seq = seq + ${changes.length}, row = row + ${changes.length},
        time = greatest(time + 1, ${literal(now)})
      RETURNING seq - ${changes.length} AS seq, row - ${changes.length} AS row, time),
    ${touchedStatement(touched, changes.length)}
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

/** Returns SQL that marks touched terms with the last of the changes, if an index has to be informed. */
function touchedStatement(terms: readonly TouchedTerm[], changes: number): string {
  if (terms.length === 0) return "";
  return `touched AS (
      INSERT INTO term_touched(seq, vocabulary, ext)
      SELECT DISTINCT head.seq + ${changes}, v.vocabulary, v.ext
      FROM head, (VALUES ${literalRows(terms.map(({ vocabulary, id }) => [vocabulary, id]))}) v(vocabulary, ext)
      WHERE EXISTS (SELECT FROM indexed)),`;
}

const WRITE_ROW = `INSERT INTO meta(name, value) VALUES($1, $2)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** Writes a row and deletes it again; see `Store.checkWrites`. */
export async function checkWrites(transaction: RunTransaction): Promise<void> {
  await transaction(({ sql }) => sql.run(WRITE_ROW, [CHECKED_WRITE, checkedText()]));
  await transaction(({ sql }) => sql.run("DELETE FROM meta WHERE name = $1", [CHECKED_WRITE]));
}

/** Kind of a named lock: what was read under it stays true until the transaction ends. */
type LockKind = "answer" | "owner" | "quota" | "repair" | "term" | "vocabulary";

/** Locks of one transaction. Each name is locked only once, until the end. */
export interface Locks {
  /** Takes a lock, exclusively or (`shared`) together with other shared holders. */
  take(kind: LockKind, name: string, mode?: "alone" | "shared"): Promise<void>;
  /** Locks all records, drafts and tombstones under the parent of this id, or the id itself if it is unused. */
  family(id: string): Promise<void>;
}

const LOCK_EXCLUSIVE = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))";
const LOCK_SHARED = "SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))";

function makeLocks(sql: Sql): Locks {
  const lockedNames = new Set<string>();
  const lockOnce = async (name: string, statement: string, value: string): Promise<void> => {
    if (lockedNames.has(name)) return;
    await sql.row(statement, [value]);
    lockedNames.add(name);
  };
  return {
    take: (kind, name, mode = "alone") =>
      lockOnce(`${mode} ${kind} ${name}`, mode === "alone" ? LOCK_EXCLUSIVE : LOCK_SHARED, `${kind} ${name}`),
    family: async (id) => {
      if (lockedNames.has(`family ${id}`)) return;
      const { family } = (await sql.row<{ readonly family: string }>("SELECT lock_family($1) AS family", [id]))!;
      // A caller that read a record locks its parent next.
      for (const name of [id, family]) lockedNames.add(`family ${name}`);
    },
  };
}
