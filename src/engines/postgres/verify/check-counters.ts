import {
  addLeftShare,
  addWrongCitations,
  addWrongCounter,
  addWrongUsage,
  type WrongCitations,
  type WrongCounter,
  type WrongUsage,
} from "../../verify/compare-beside.js";
import { removeTimeLimits, scanRows, withoutTimeLimits } from "../connection/long-statements.js";
import { DRAFT_SUMS } from "../connection/migrations.js";
import type { Pool } from "../connection/sql.js";
import type { OpenTransaction, RunTransaction } from "../connection/write-transaction.js";
import type { VerifyContext } from "./verify-context.js";

/** SQL for the terms whose counts of citing records, latest published ones and all others, differ from the table. */
const WRONG_CITATIONS = `WITH cited AS (
    SELECT (c.cited ->> 0) COLLATE "C" AS vocabulary, (c.cited ->> 1) COLLATE "C" AS ext,
      count(*) FILTER (WHERE rec.latest) AS latest, count(*) FILTER (WHERE NOT rec.latest) AS others
    FROM rec CROSS JOIN LATERAL jsonb_array_elements(
      CASE jsonb_typeof(rec.cites::jsonb) WHEN 'array' THEN rec.cites::jsonb ELSE '[]' END) c(cited)
    GROUP BY 1, 2)
  SELECT vocabulary, ext, coalesce(cited.latest, 0) AS latest, coalesce(cited.others, 0) AS others,
    coalesce(c.latest, 0) AS "foundLatest", coalesce(c.others, 0) AS "foundOthers"
  FROM cited FULL JOIN citation_count c USING (vocabulary, ext)
  WHERE coalesce(cited.latest, 0) <> coalesce(c.latest, 0) OR coalesce(cited.others, 0) <> coalesce(c.others, 0)
  ORDER BY vocabulary, ext`;

/** SQL for the users whose row in `draft_usage` differs from their drafts. */
const WRONG_DRAFTS = `SELECT owner, coalesce(d.drafts, 0) AS drafts, coalesce(d.bytes, 0) AS bytes,
    coalesce(u.drafts, 0) AS "foundDrafts", coalesce(u.bytes, 0) AS "foundBytes"
  FROM (${DRAFT_SUMS}) d FULL JOIN draft_usage u USING (owner)
  WHERE coalesce(d.drafts, 0) <> coalesce(u.drafts, 0) OR coalesce(d.bytes, 0) <> coalesce(u.bytes, 0)
  ORDER BY owner`;

/**
 * Returns SQL for ids whose revision counter is below a revision of a row or tombstone, that were never marked as
 * assigned, or whose parent differs from that of their row, which writes use for locking.
 * @param condition further condition on `id`
 */
const wrongCounters = (condition = "true"): string => `SELECT had.id, had.least, had."check", had.family,
    taken.revision AS found, taken.family AS "foundFamily"
  FROM (
    SELECT id, max(least) AS least, (array_agg("check" ORDER BY least DESC))[1] AS "check",
      (array_agg(family ORDER BY least DESC))[1] AS family
    FROM (
      SELECT pid AS id, parent AS family, revision AS least, 'record.counter' AS "check" FROM rec
      UNION ALL SELECT parent, parent, 0, 'record.counter' FROM rec
      UNION ALL SELECT id, parent, revision, 'tombstone.counter' FROM tombstone) least
    WHERE ${condition} GROUP BY id) had
  LEFT JOIN taken USING (id)
  WHERE taken.id IS NULL OR taken.revision < had.least OR taken.family <> had.family
  ORDER BY had.id`;

interface CounterRow extends WrongCounter {
  readonly family: string;
  readonly foundFamily: string | null;
}

/** SQL for drafts that no longer exist but are shared. */
const LEFT_SHARES = `SELECT DISTINCT pid FROM access
  WHERE NOT EXISTS (SELECT FROM rec WHERE rec.pid = access.pid AND rec.state = 'draft') ORDER BY pid`;

/** Checks the citation counts against the citations in the rows of records. */
export async function checkCitations({ connection, report }: VerifyContext): Promise<void> {
  for await (const rows of scanRows<WrongCitations>(connection, WRONG_CITATIONS)) {
    for (const row of rows) addWrongCitations(report, row, ["tables", "citations"]);
  }
}

/** Checks `draft_usage` against the rows of the drafts. */
export async function checkDrafts({ connection, report }: VerifyContext): Promise<void> {
  for await (const rows of scanRows<WrongUsage>(connection, WRONG_DRAFTS)) {
    for (const row of rows) addWrongUsage(report, row, ["tables", "drafts"]);
  }
}

/**
 * Checks that each id is marked as assigned, under its parent, and that its counter is as high as each of its
 * revisions.
 */
export async function checkCounters({ connection, report }: VerifyContext): Promise<void> {
  for await (const rows of scanRows<CounterRow>(connection, wrongCounters())) {
    for (const row of rows) {
      const { id, least, found, family, foundFamily } = row;
      if (found === null || found < least) addWrongCounter(report, row, ["tables", "counters"]);
      if (foundFamily === null || foundFamily === family) continue;
      const finding = {
        check: "record.family",
        where: id,
        expected: `parent ${family}`,
        found: `parent ${foundFamily}`,
      };
      report.add(finding, ["tables", "counters"]);
    }
  }
}

/** Checks that each share has a draft. */
export async function checkShares({ connection, report }: VerifyContext): Promise<void> {
  for await (const rows of scanRows<{ readonly pid: string }>(connection, LEFT_SHARES)) {
    for (const { pid } of rows) addLeftShare(report, pid, ["tables", "shares"]);
  }
}

/** Counts corrected in one transaction, for which deposits that cite the same terms wait. */
const COUNTS_AT_ONCE = 5_000;

/** Counters and entries written or removed in one transaction. */
const ROWS_AT_ONCE = 500;

/**
 * Corrects the citation counts. Later changes were added to the wrong counts, so differences stay valid.
 * @returns the number of wrong counts
 */
export async function correctCitations(transaction: RunTransaction): Promise<number> {
  for (let corrected = 0; ; ) {
    const batchCount = await transaction(correctSome);
    corrected += batchCount;
    if (batchCount < COUNTS_AT_ONCE) return corrected;
  }
}

async function correctSome({ sql, locks, countCitations }: OpenTransaction): Promise<number> {
  await removeTimeLimits(sql);
  // Two concurrent corrections of one count would add the difference twice.
  await locks.take("repair", "citations");
  const wrong = await sql.rows<WrongCitations>(`${WRONG_CITATIONS} LIMIT ${COUNTS_AT_ONCE}`);
  countCitations(
    wrong.map(({ vocabulary, ext, latest, others, foundLatest, foundOthers }) => ({
      vocabulary,
      id: ext,
      latest: latest - foundLatest,
      others: others - foundOthers,
    })),
  );
  return wrong.length;
}

/** Corrects `draft_usage`, like the citation counts. @returns the number of wrong rows */
export function correctDrafts(transaction: RunTransaction): Promise<number> {
  return transaction(async ({ sql, locks, countDrafts }) => {
    await removeTimeLimits(sql);
    await locks.take("repair", "drafts");
    const wrong = await sql.rows<WrongUsage>(WRONG_DRAFTS);
    for (const { owner, drafts, bytes, foundDrafts, foundBytes } of wrong) {
      countDrafts(owner, { drafts: drafts - foundDrafts, bytes: bytes - foundBytes });
    }
    return wrong.length;
  });
}

const RAISE_COUNTERS = `INSERT INTO taken AS known (id, family, revision)
  SELECT id, family, least FROM (${wrongCounters("id = ANY($1::text[])")}) wrong
  ON CONFLICT (id) DO UPDATE SET family = excluded.family, revision = greatest(known.revision, excluded.revision)`;

/** Raises the counters of ids, and corrects their parents. @returns the number of wrong ones */
export async function correctCounters(pool: Pool, transaction: RunTransaction): Promise<number> {
  const wrong = await withoutTimeLimits(pool, (sql) => sql.rows<CounterRow>(wrongCounters()));
  return inBatches(wrong, (rows) =>
    transaction(async ({ sql, locks }) => {
      // Locks both the recorded and the right parent, because a writer has locked one of them.
      for (const { id, family } of rows) {
        await locks.family(id);
        await locks.family(family);
      }
      return sql.run(RAISE_COUNTERS, [rows.map(({ id }) => id)]);
    }),
  );
}

const DELETE_SHARES = `DELETE FROM access WHERE pid = ANY($1::text[])
  AND NOT EXISTS (SELECT FROM rec WHERE rec.pid = access.pid AND rec.state = 'draft')`;

/** Ends the shares of drafts that no longer exist. @returns their number */
export async function endShares(pool: Pool, transaction: RunTransaction): Promise<number> {
  const drafts = await pool.rows<{ readonly pid: string }>(LEFT_SHARES);
  return inBatches(drafts, (rows) =>
    transaction(async ({ sql, locks }) => {
      for (const { pid } of rows) await locks.family(pid);
      return sql.run(DELETE_SHARES, [rows.map(({ pid }) => pid)]);
    }),
  );
}

async function inBatches<T>(all: readonly T[], work: (batch: readonly T[]) => Promise<number>): Promise<number> {
  let total = 0;
  for (let from = 0; from < all.length; from += ROWS_AT_ONCE) total += await work(all.slice(from, from + ROWS_AT_ONCE));
  return total;
}

const DELETE_LEFTOVERS = [
  `DELETE FROM change_term WHERE import = $1 AND n IN (
    SELECT n FROM change_term WHERE import = $1 ORDER BY n LIMIT ${ROWS_AT_ONCE})
    AND NOT EXISTS (SELECT FROM change WHERE kind = 'term' AND action = 'imported' AND id = $1::text)`,
  `DELETE FROM term_history WHERE id IN (
    SELECT id FROM term_history WHERE load = $1 ORDER BY id LIMIT ${ROWS_AT_ONCE})
    AND NOT EXISTS (SELECT FROM term_load WHERE id = $1)`,
];

/** Removes the entries of an import that did not succeed. @returns whether there were any */
export async function dropLeftovers(pool: Pool, number: number): Promise<boolean> {
  let dropped = 0;
  for (const statement of DELETE_LEFTOVERS) {
    for (;;) {
      const removedCount = await withoutTimeLimits(pool, (sql) => sql.run(statement, [number]));
      dropped += removedCount;
      if (removedCount === 0) break;
    }
  }
  return dropped > 0;
}

const CORRECT_HEAD = `WITH gone AS (DELETE FROM feed_head RETURNING seq, row, time),
    last AS (SELECT seq, time FROM change ORDER BY seq DESC LIMIT 1)
  INSERT INTO feed_head(seq, row, time) SELECT
    greatest(0, (SELECT max(seq) FROM gone), (SELECT seq FROM last)),
    greatest(0, (SELECT max(row) FROM gone), (SELECT max(row) FROM rec)),
    greatest(0, (SELECT max(time) FROM gone), (SELECT time FROM last))`;

const ASSIGN_PLACES = `WITH placeless AS (
    SELECT pid, state, row_number() OVER (ORDER BY created, pid, state) AS n FROM rec WHERE row IS NULL),
  head AS (UPDATE feed_head SET row = row + (SELECT count(*) FROM placeless) RETURNING row)
  UPDATE rec SET row = head.row - (SELECT count(*) FROM placeless) + placeless.n FROM placeless, head
  WHERE rec.pid = placeless.pid AND rec.state = placeless.state`;

/**
 * Moves the head of the feed behind all changes and rows, and gives each record a place. Nothing is committed
 * meanwhile, and no transaction can begin without a head.
 */
export async function correctHead(pool: Pool): Promise<void> {
  await withoutTimeLimits(pool, async (connection) => {
    await connection.script("LOCK TABLE feed_head IN EXCLUSIVE MODE");
    await connection.run(CORRECT_HEAD);
    await connection.run(ASSIGN_PLACES);
  });
}
