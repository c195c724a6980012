import {
  addLeftShare,
  addWrongCitations,
  addWrongCounter,
  addWrongUsage,
  type WrongCitations,
  type WrongCounter,
  type WrongUsage,
} from "../../verify/compare-beside.js";
import { noteChange } from "../connection/change-table.js";
import { DRAFT_SUMS } from "../connection/record-tables.js";
import type { BulkLoader } from "../vocabulary/load/bulk-loader.js";
import { eachInSteps } from "../vocabulary/load/each-in-steps.js";
import type { VerifyContext } from "./verify-context.js";

/** How often each term is cited, by latest published records and by all others, where the table says otherwise. */
const CITATIONS = `
WITH cited AS (
  SELECT json_extract(value, '$[0]') AS vocabulary, json_extract(value, '$[1]') AS ext,
    sum(rec.latest) AS latest, sum(1 - rec.latest) AS others
  FROM rec, json_each(CASE WHEN json_valid(rec.cites) THEN rec.cites ELSE '[]' END) GROUP BY 1, 2)
SELECT vocabulary, ext, coalesce(cited.latest, 0) AS latest, coalesce(cited.others, 0) AS others,
  coalesce(use.n, 0) AS foundLatest, coalesce(use.drafts, 0) AS foundOthers
FROM cited FULL JOIN use USING(vocabulary, ext)
WHERE coalesce(cited.latest, 0) <> coalesce(use.n, 0) OR coalesce(cited.others, 0) <> coalesce(use.drafts, 0)`;

/** SQL for the users whose row in `draft_usage` differs from their drafts. */
const DRAFTS = `
SELECT owner, coalesce(d.drafts, 0) AS drafts, coalesce(d.bytes, 0) AS bytes,
  coalesce(u.drafts, 0) AS foundDrafts, coalesce(u.bytes, 0) AS foundBytes
FROM (${DRAFT_SUMS}) d FULL JOIN draft_usage u USING(owner)
WHERE coalesce(d.drafts, 0) <> coalesce(u.drafts, 0) OR coalesce(d.bytes, 0) <> coalesce(u.bytes, 0)`;

/** Ids whose counter of revisions is below that of a row or a tombstone, or that were never marked as assigned. */
const COUNTERS = `
SELECT id, max(least) AS least, "check", taken.revision AS found
FROM (SELECT pid AS id, revision AS least, 'record.counter' AS "check" FROM rec
  UNION ALL SELECT parent, 0, 'record.counter' FROM rec
  UNION ALL SELECT id, revision, 'tombstone.counter' FROM tombstone) LEFT JOIN taken USING(id)
GROUP BY id HAVING found IS NULL OR found < max(least)`;

/** Shares of drafts that are gone. */
const SHARES = "FROM access WHERE NOT EXISTS (SELECT 1 FROM rec WHERE rec.pid = access.pid AND rec.state = 0)";

/** The counts of citations, against what the rows of records cite. */
export function checkCitations({ db, report }: VerifyContext): void {
  for (const row of db.raw.prepare<[], WrongCitations>(CITATIONS).iterate()) {
    addWrongCitations(report, row, ["tables", "citations"]);
  }
}

/** Checks `draft_usage` against the rows of the drafts. */
export function checkDrafts({ db, report }: VerifyContext): void {
  for (const row of db.raw.prepare<[], WrongUsage>(DRAFTS).iterate()) addWrongUsage(report, row, ["tables", "drafts"]);
}

/** Each id is assigned for good, and its counter is as high as every revision that it had. */
export function checkCounters({ db, report }: VerifyContext): void {
  for (const row of db.raw.prepare<[], WrongCounter>(COUNTERS).iterate()) {
    addWrongCounter(report, row, ["tables", "counters"]);
  }
}

/** A share ends with its draft. */
export function checkShares({ db, report }: VerifyContext): void {
  for (const draft of db.raw.prepare<[], string>(`SELECT DISTINCT pid ${SHARES}`).pluck().iterate()) {
    addLeftShare(report, draft, ["tables", "shares"]);
  }
}

/** How each table is corrected by what is wrong, in `scratch.wrong`; both may have changed since that was found. */
const TABLES = {
  // What was counted since was counted on top of what was wrong.
  citations: {
    wrong: CITATIONS,
    correct: `INSERT INTO use(vocabulary, ext, n, drafts, seq)
      SELECT vocabulary, ext, latest - foundLatest, others - foundOthers, (SELECT max(seq) FROM change)
      FROM scratch.wrong WHERE true
      ON CONFLICT DO UPDATE SET n = n + excluded.n, drafts = drafts + excluded.drafts, seq = excluded.seq`,
  },
  drafts: {
    wrong: DRAFTS,
    correct: `INSERT INTO draft_usage(owner, drafts, bytes)
      SELECT owner, drafts - foundDrafts, bytes - foundBytes FROM scratch.wrong WHERE true
      ON CONFLICT DO UPDATE SET drafts = drafts + excluded.drafts, bytes = bytes + excluded.bytes`,
  },
  counters: {
    wrong: COUNTERS,
    correct: `INSERT INTO taken(id, revision) SELECT id, least FROM scratch.wrong WHERE true
      ON CONFLICT DO UPDATE SET revision = excluded.revision WHERE revision < excluded.revision`,
  },
  shares: { wrong: `SELECT pid ${SHARES}`, correct: `DELETE ${SHARES}` },
};

/**
 * Makes a table right that follows from the rows of all records. These are read without the lock; only what is wrong
 * is written, in one transaction. @returns how much was wrong
 */
export async function correctTable(loader: BulkLoader, table: keyof typeof TABLES): Promise<number> {
  const { db } = loader;
  const { wrong, correct } = TABLES[table];
  loader.scratch(() => db.raw.exec(`DROP TABLE IF EXISTS scratch.wrong; CREATE TABLE scratch.wrong AS ${wrong}`));
  let corrected = 0;
  await eachInSteps(loader, [correct], (sql, now) => {
    // What is kept in memory is read again.
    noteChange(db, now, { kind: "record", action: "reindexed", place: "" });
    corrected = db.sql(sql).run().changes;
    return true;
  });
  return corrected;
}
