import {
  addEmptyImport,
  addLeftEntries,
  addMissingChange,
  type MissingChange,
  makeChangeOrder,
  type NumberedChange,
} from "../../verify/compare-beside.js";
import { scanRows } from "../connection/long-statements.js";
import { literal } from "../connection/sql.js";
import type { Change } from "../connection/write-transaction.js";
import type { DatabaseUnit, TermVerifyContext, VerifyContext } from "./verify-context.js";

const SELECT_CHANGES = "SELECT seq, time, kind, state, shown FROM change ORDER BY seq";

/** Checks that the change table is complete and in order, and that the next change comes after all of them. */
export async function checkChangeOrder(verifying: VerifyContext): Promise<void> {
  const { connection, report } = verifying;
  const checkNext = makeChangeOrder(report);
  let lastChange: LastChange = { seq: 0, time: 0 };
  for await (const changes of scanRows<NumberedChange>(connection, SELECT_CHANGES)) {
    for (const change of changes) checkNext(change);
    lastChange = changes.at(-1)!;
  }
  await checkHead(verifying, lastChange);
}

const SELECT_HEAD = `SELECT count(*) AS heads, coalesce(max(seq), 0) AS seq, coalesce(max(time), 0) AS time,
  coalesce(max(row), 0) AS row, (SELECT coalesce(max(row), 0) FROM rec) AS "lastRow" FROM feed_head`;

type LastChange = Pick<NumberedChange, "seq" | "time">;

interface Head extends LastChange {
  readonly heads: number;
  /** The last number that was assigned to a record, and the greatest one of a record. */
  readonly row: number;
  readonly lastRow: number;
}

async function checkHead({ connection, report }: VerifyContext, last: LastChange): Promise<void> {
  const head = (await connection.row<Head>(SELECT_HEAD))!;
  const unit: DatabaseUnit = ["tables", "feed"];
  const finding = { check: "changes.head", where: "feed_head" };
  report.compare({ ...finding, expected: "1 row", found: `${head.heads} row${head.heads === 1 ? "" : "s"}` }, unit);
  if (head.heads === 0) return;
  const minima = [
    ["number", last.seq, head.seq],
    ["time", last.time, head.time],
    ["row", head.lastRow, head.row],
  ] as const;
  for (const [label, expected, found] of minima) {
    if (found < expected)
      report.add({ ...finding, expected: `${label} ${expected}`, found: `${label} ${found}` }, unit);
  }
  // Numbered changes that are missing are lost.
  if (head.seq <= last.seq) return;
  const lost = { check: "changes.order", where: `change ${last.seq + 1}` };
  report.add({ ...lost, expected: `changes up to ${head.seq}`, found: "none" });
}

/** A missing change with the last change that exists instead. */
type FoundMissingChange = MissingChange & { readonly found: string };

const RECORD_CHANGES = `WITH last AS (
    SELECT DISTINCT ON (id, state) id, state, action, place, revision FROM change
    WHERE kind = 'record' AND action <> 'reindexed' ORDER BY id, state, seq DESC)
  SELECT 'record' AS kind, CASE WHEN rec.pid IS NULL THEN 'removed' ELSE 'updated' END AS action,
    coalesce(rec.model, last.place) AS place, coalesce(rec.pid, last.id) AS id,
    coalesce(rec.state, last.state) AS state, coalesce(rec.revision, last.revision) AS revision,
    CASE WHEN last.action = 'removed' THEN 'removed'
      ELSE coalesce('revision ' || last.revision, 'no change') END AS found
  FROM last FULL JOIN rec ON rec.pid = last.id AND rec.state = last.state
  WHERE CASE WHEN rec.pid IS NULL THEN last.action <> 'removed'
    ELSE last.action IS NULL OR last.action = 'removed' OR last.revision <> rec.revision END`;

/** Checks that the last change of each record has its revision, and that of each deleted record says so. */
export const checkRecordChanges = (verifying: VerifyContext): Promise<void> =>
  checkLastChanges(verifying, RECORD_CHANGES);

/** Ids that are both a term and deleted are reported by another check. */
const termChanges = (vocabulary: string): string => `WITH said AS (
    SELECT seq, 0 AS n, id, action, revision FROM change
    WHERE kind = 'term' AND place = ${vocabulary} AND action <> 'imported'
    UNION ALL SELECT c.seq, e.n, e.id, e.action, e.revision
    FROM change c JOIN change_term e ON e.import = c.id::bigint
    WHERE c.kind = 'term' AND c.place = ${vocabulary} AND c.action = 'imported'),
  last AS (SELECT DISTINCT ON (id) id, action, revision FROM said ORDER BY id, seq DESC, n DESC),
  present AS (
    SELECT ext AS id, 'updated' AS action, revision FROM term WHERE vocabulary = ${vocabulary}
    UNION ALL SELECT ext, 'removed', revision FROM life l WHERE vocabulary = ${vocabulary}
      AND NOT EXISTS (SELECT FROM term t WHERE t.vocabulary = l.vocabulary AND t.ext = l.ext))
  SELECT 'term' AS kind, present.action, ${vocabulary} AS place, present.id, present.revision,
    coalesce(CASE last.action WHEN 'removed' THEN 'removed, ' ELSE '' END || 'revision ' || last.revision,
      'no change') AS found
  FROM present LEFT JOIN last ON last.id = present.id
  WHERE last.revision IS DISTINCT FROM present.revision
    OR (last.action = 'removed') IS DISTINCT FROM (present.action = 'removed')`;

const EMPTY_IMPORTS = `SELECT seq FROM change c WHERE kind = 'term' AND place = $1 AND action = 'imported'
  AND NOT EXISTS (SELECT FROM change_term WHERE import = c.id::bigint) ORDER BY seq`;

/** Checks that the last change of each term has its revision, and that of each deleted id says that it was removed. */
export async function checkTermChanges(verifying: TermVerifyContext): Promise<void> {
  const { connection, report, vocabulary } = verifying;
  const empty = await connection.rows<{ readonly seq: number }>(EMPTY_IMPORTS, [vocabulary.name]);
  for (const { seq } of empty) addEmptyImport(report, seq);
  await checkLastChanges(verifying, termChanges(literal(vocabulary.name)));
}

async function checkLastChanges({ connection, report }: VerifyContext, missing: string): Promise<void> {
  for await (const rows of scanRows<FoundMissingChange>(connection, missing)) {
    for (const { found, ...change } of rows) addMissingChange(report, change, found, ["changes", change as Change]);
  }
}

/** SQL for the numbers of imports and loads with entries only. */
const LEFT_ENTRIES = {
  import: `SELECT DISTINCT import AS number FROM change_term e WHERE NOT EXISTS (
    SELECT FROM change WHERE kind = 'term' AND action = 'imported' AND id::bigint = e.import) ORDER BY 1`,
  load: `SELECT DISTINCT load AS number FROM term_history h WHERE load IS NOT NULL
    AND NOT EXISTS (SELECT FROM term_load l WHERE l.id = h.load) ORDER BY 1`,
} as const;

/** Checks that no entries of imports and loads exist that did not succeed. */
export async function checkLeftovers({ connection, report }: VerifyContext): Promise<void> {
  for (const origin of ["load", "import"] as const) {
    const rows = await connection.rows<{ readonly number: number }>(LEFT_ENTRIES[origin]);
    for (const { number } of rows) addLeftEntries(report, origin, number, ["leftovers", number]);
  }
}
