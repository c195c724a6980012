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
import { DRAFT_SUMS } from "../connection/migrations.js";
import { type BulkLoader, eachInSteps } from "../vocabulary/load/bulk-loader.js";
import type { VerifyContext } from "./verify-context.js";

/** SQL for the terms whose counts of citing records, latest published ones and all others, differ from the table. */
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

/**
 * SQL for ids whose revision counter is below a revision of a row or tombstone, or that were never marked as assigned.
 */
const COUNTERS = `
SELECT id, max(least) AS least, "check", taken.revision AS found
FROM (SELECT pid AS id, revision AS least, 'record.counter' AS "check" FROM rec
  UNION ALL SELECT parent, 0, 'record.counter' FROM rec
  UNION ALL SELECT id, revision, 'tombstone.counter' FROM tombstone) LEFT JOIN taken USING(id)
GROUP BY id HAVING found IS NULL OR found < max(least)`;

/** SQL for shares of drafts that no longer exist. */
const SHARES = "FROM access WHERE NOT EXISTS (SELECT 1 FROM rec WHERE rec.pid = access.pid AND rec.state = 0)";

/** Checks the citation counts against the citations in the rows of records. */
export function checkCitations({ db, report }: VerifyContext): void {
  for (const row of db.raw.prepare<[], WrongCitations>(CITATIONS).iterate()) {
    addWrongCitations(report, row, ["tables", "citations"]);
  }
}

/** Checks `draft_usage` against the rows of the drafts. */
export function checkDrafts({ db, report }: VerifyContext): void {
  for (const row of db.raw.prepare<[], WrongUsage>(DRAFTS).iterate()) addWrongUsage(report, row, ["tables", "drafts"]);
}

/** Checks that each id is marked as assigned, and that its counter is as high as each of its revisions. */
export function checkCounters({ db, report }: VerifyContext): void {
  for (const row of db.raw.prepare<[], WrongCounter>(COUNTERS).iterate()) {
    addWrongCounter(report, row, ["tables", "counters"]);
  }
}

/** Checks that each share has a draft. */
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
 * Corrects a table that is derived from the rows of all records. Reads without the lock and writes the corrections in
 * one transaction. @returns the number of corrected rows
 */
export async function correctTable(loader: BulkLoader, table: keyof typeof TABLES): Promise<number> {
  const { db } = loader;
  const { wrong, correct } = TABLES[table];
  loader.scratch(() => db.raw.exec(`DROP TABLE IF EXISTS scratch.wrong; CREATE TABLE scratch.wrong AS ${wrong}`));
  let corrected = 0;
  await eachInSteps(loader, [correct], (sql, now) => {
    // Makes caches reload.
    noteChange(db, now, { kind: "record", action: "reindexed", place: "" });
    corrected = db.sql(sql).run().changes;
    return true;
  });
  return corrected;
}
