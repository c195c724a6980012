import type { WrongCitations, WrongUsage } from "../../verify/compare-beside.js";
import type { Pool } from "../connection/sql.js";
import { unhurried, unhurry } from "../connection/unhurried.js";
import type { OpenTransaction, RunTransaction } from "../connection/write-transaction.js";
import { type CounterRow, LEFT_SHARES, WRONG_CITATIONS, WRONG_DRAFTS, wrongCounters } from "./check-counters.js";

/** Counts that are corrected in one transaction: deposits that cite the same terms wait for it. */
const COUNTS_AT_ONCE = 5_000;

/** Counters and entries that are written or removed in one transaction. */
const ROWS_AT_ONCE = 500;

/**
 * Makes the counts of citations right. What was counted since they were compared was counted on top of what was wrong.
 * @returns how many were wrong
 */
export async function correctCitations(transaction: RunTransaction): Promise<number> {
  for (let corrected = 0; ; ) {
    const some = await transaction(correctSome);
    corrected += some;
    if (some < COUNTS_AT_ONCE) return corrected;
  }
}

async function correctSome({ sql, locks, countCitations }: OpenTransaction): Promise<number> {
  await unhurry(sql);
  // Two that correct one count would do it twice.
  await locks.take("repair", "citations");
  const wrong = await sql.rows<WrongCitations>(`${WRONG_CITATIONS} LIMIT ${COUNTS_AT_ONCE}`);
  countCitations(
    wrong.map(({ vocabulary, ext, latest, others, foundLatest, foundOthers }) => ({
      ...{ vocabulary, id: ext, latest: latest - foundLatest, others: others - foundOthers },
    })),
  );
  return wrong.length;
}

/** Corrects `draft_usage`, as the counts of citations are corrected. @returns the number of wrong rows */
export function correctDrafts(transaction: RunTransaction): Promise<number> {
  return transaction(async ({ sql, locks, countDrafts }) => {
    await unhurry(sql);
    await locks.take("repair", "drafts");
    const wrong = await sql.rows<WrongUsage>(WRONG_DRAFTS);
    for (const { owner, drafts, bytes, foundDrafts, foundBytes } of wrong) {
      countDrafts(owner, { drafts: drafts - foundDrafts, bytes: bytes - foundBytes });
    }
    return wrong.length;
  });
}

const RAISE = `INSERT INTO taken AS known (id, family, revision)
  SELECT id, family, least FROM (${wrongCounters("id = ANY($1::text[])")}) wrong
  ON CONFLICT (id) DO UPDATE SET family = excluded.family, revision = greatest(known.revision, excluded.revision)`;

/** Raises the counters of ids, and puts these under the parents of their rows. @returns how many were wrong */
export async function correctCounters(pool: Pool, transaction: RunTransaction): Promise<number> {
  const wrong = await unhurried(pool, (sql) => sql.rows<CounterRow>(wrongCounters()));
  return inBatches(wrong, (rows) =>
    transaction(async ({ sql, locks }) => {
      // Each stands where it is said to stand, or where it should: whoever writes it has locked one of them.
      for (const { id, family } of rows) {
        await locks.family(id);
        await locks.family(family);
      }
      return sql.run(RAISE, [rows.map(({ id }) => id)]);
    }),
  );
}

const UNSHARE = `DELETE FROM access WHERE pid = ANY($1::text[])
  AND NOT EXISTS (SELECT FROM rec WHERE rec.pid = access.pid AND rec.state = 'draft')`;

/** Ends the shares of drafts that are gone. @returns how many there were */
export async function endShares(pool: Pool, transaction: RunTransaction): Promise<number> {
  const drafts = await pool.rows<{ readonly pid: string }>(LEFT_SHARES);
  return inBatches(drafts, (rows) =>
    transaction(async ({ sql, locks }) => {
      for (const { pid } of rows) await locks.family(pid);
      return sql.run(UNSHARE, [rows.map(({ pid }) => pid)]);
    }),
  );
}

async function inBatches<T>(all: readonly T[], work: (some: readonly T[]) => Promise<number>): Promise<number> {
  let done = 0;
  for (let at = 0; at < all.length; at += ROWS_AT_ONCE) done += await work(all.slice(at, at + ROWS_AT_ONCE));
  return done;
}

const LEFT = [
  `DELETE FROM change_term WHERE import = $1 AND n IN (
    SELECT n FROM change_term WHERE import = $1 ORDER BY n LIMIT ${ROWS_AT_ONCE})
    AND NOT EXISTS (SELECT FROM change WHERE kind = 'term' AND action = 'imported' AND id = $1::text)`,
  `DELETE FROM term_history WHERE id IN (
    SELECT id FROM term_history WHERE load = $1 ORDER BY id LIMIT ${ROWS_AT_ONCE})
    AND NOT EXISTS (SELECT FROM term_load WHERE id = $1)`,
];

/** Removes the entries of an import that never came to be. @returns whether there were any */
export async function dropLeftovers(pool: Pool, number: number): Promise<boolean> {
  let dropped = 0;
  for (const statement of LEFT) {
    for (;;) {
      const some = await unhurried(pool, (sql) => sql.run(statement, [number]));
      dropped += some;
      if (some === 0) break;
    }
  }
  return dropped > 0;
}

const RIGHT_HEAD = `WITH gone AS (DELETE FROM feed_head RETURNING seq, row, time),
    last AS (SELECT seq, time FROM change ORDER BY seq DESC LIMIT 1)
  INSERT INTO feed_head(seq, row, time) SELECT
    greatest(0, (SELECT max(seq) FROM gone), (SELECT seq FROM last)),
    greatest(0, (SELECT max(row) FROM gone), (SELECT max(row) FROM rec)),
    greatest(0, (SELECT max(time) FROM gone), (SELECT time FROM last))`;

const PLACES = `WITH placeless AS (
    SELECT pid, state, row_number() OVER (ORDER BY created, pid, state) AS n FROM rec WHERE row IS NULL),
  head AS (UPDATE feed_head SET row = row + (SELECT count(*) FROM placeless) RETURNING row)
  UPDATE rec SET row = head.row - (SELECT count(*) FROM placeless) + placeless.n FROM placeless, head
  WHERE rec.pid = placeless.pid AND rec.state = placeless.state`;

/**
 * The head of the feed stands behind all changes and rows, and each record has a place. Nothing is committed meanwhile,
 * and no transaction of ours can begin where there is no head.
 */
export async function correctHead(pool: Pool): Promise<void> {
  await unhurried(pool, async (connection) => {
    await connection.script("LOCK TABLE feed_head IN EXCLUSIVE MODE");
    await connection.run(RIGHT_HEAD);
    await connection.run(PLACES);
  });
}
