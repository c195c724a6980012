import {
  addLeftShare,
  addWrongCitations,
  addWrongCounter,
  addWrongUsage,
  type WrongCitations,
  type WrongCounter,
  type WrongUsage,
} from "../../verify/compare-beside.js";
import { DRAFT_SUMS } from "../connection/migrations.js";
import { scanRows } from "../connection/scan-rows.js";
import type { VerifyContext } from "./verify-context.js";

/** How often each term is cited, by latest published records and by all others, where the table says otherwise. */
export const WRONG_CITATIONS = `WITH cited AS (
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
export const WRONG_DRAFTS = `SELECT owner, coalesce(d.drafts, 0) AS drafts, coalesce(d.bytes, 0) AS bytes,
    coalesce(u.drafts, 0) AS "foundDrafts", coalesce(u.bytes, 0) AS "foundBytes"
  FROM (${DRAFT_SUMS}) d FULL JOIN draft_usage u USING (owner)
  WHERE coalesce(d.drafts, 0) <> coalesce(u.drafts, 0) OR coalesce(d.bytes, 0) <> coalesce(u.bytes, 0)
  ORDER BY owner`;

/**
 * Ids whose counter of revisions is below that of a row or a tombstone, that were never marked as assigned, or that
 * stand under another parent than that of their row: writes lock by it.
 * @param which further condition on `id`
 */
export const wrongCounters = (which = "true"): string => `SELECT had.id, had.least, had."check", had.family,
    taken.revision AS found, taken.family AS "foundFamily"
  FROM (
    SELECT id, max(least) AS least, (array_agg("check" ORDER BY least DESC))[1] AS "check",
      (array_agg(family ORDER BY least DESC))[1] AS family
    FROM (
      SELECT pid AS id, parent AS family, revision AS least, 'record.counter' AS "check" FROM rec
      UNION ALL SELECT parent, parent, 0, 'record.counter' FROM rec
      UNION ALL SELECT id, parent, revision, 'tombstone.counter' FROM tombstone) least
    WHERE ${which} GROUP BY id) had
  LEFT JOIN taken USING (id)
  WHERE taken.id IS NULL OR taken.revision < had.least OR taken.family <> had.family
  ORDER BY had.id`;

export interface CounterRow extends WrongCounter {
  readonly family: string;
  readonly foundFamily: string | null;
}

/** Drafts that are gone, and still shared. */
export const LEFT_SHARES = `SELECT DISTINCT pid FROM access
  WHERE NOT EXISTS (SELECT FROM rec WHERE rec.pid = access.pid AND rec.state = 'draft') ORDER BY pid`;

/** The counts of citations, against what the rows of records cite. */
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

/** Each id is assigned for good, under its parent, and its counter is as high as every revision that it had. */
export async function checkCounters({ connection, report }: VerifyContext): Promise<void> {
  for await (const rows of scanRows<CounterRow>(connection, wrongCounters())) {
    for (const row of rows) {
      const { id, least, found, family, foundFamily } = row;
      if (found === null || found < least) addWrongCounter(report, row, ["tables", "counters"]);
      if (foundFamily === null || foundFamily === family) continue;
      const noted = { check: "record.family", where: id, expected: `parent ${family}`, found: `parent ${foundFamily}` };
      report.add(noted, ["tables", "counters"]);
    }
  }
}

export async function checkShares({ connection, report }: VerifyContext): Promise<void> {
  for await (const rows of scanRows<{ readonly pid: string }>(connection, LEFT_SHARES)) {
    for (const { pid } of rows) addLeftShare(report, pid, ["tables", "shares"]);
  }
}
