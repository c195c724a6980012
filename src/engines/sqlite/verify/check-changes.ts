import { addEmptyImport, addMissingChange, makeChangeOrder, type NumberedChange } from "../../verify/compare-beside.js";
import type { Change } from "../connection/change-table.js";
import type { TermVerifyContext, VerifyContext } from "./verify-context.js";

/** Checks that the change table is complete and in order. */
export function checkChangeOrder({ db, report }: VerifyContext): void {
  const changes = db.raw.prepare<[], NumberedChange>("SELECT seq, time, kind, state, shown FROM change ORDER BY seq");
  const checkNext = makeChangeOrder(report);
  for (const change of changes.iterate()) checkNext(change);
}

/** The change that the last change of a record or term should be, and the one that it is. */
interface MissingChange extends Change {
  readonly id: string;
  readonly revision: number;
  readonly found: string;
}

/** Returns the other columns from the row of max(seq), as SQLite specifies. */
const RECORD_CHANGES = `
WITH last AS (SELECT rec, action, place, id, state, revision, max(seq) FROM change
  WHERE kind = 'record' AND action <> 'reindexed' AND rec IS NOT NULL GROUP BY rec)
SELECT 'record' AS kind, iif(rec.id IS NULL, 'removed', 'updated') AS action, coalesce(rec.model, last.place) AS place,
  coalesce(rec.pid, last.id) AS id,
  CASE rec.state WHEN 0 THEN 'draft' WHEN 1 THEN 'published' ELSE last.state END AS state,
  coalesce(rec.revision, last.revision) AS revision, coalesce(rec.id, last.rec) AS rec,
  CASE WHEN last.action = 'removed' THEN 'removed' ELSE coalesce('revision ' || last.revision, 'no change') END AS found
FROM last FULL JOIN rec ON rec.id = last.rec
WHERE CASE WHEN rec.id IS NULL THEN last.action <> 'removed'
  ELSE last.action IS NULL OR last.action = 'removed' OR last.revision <> rec.revision END`;

/** Checks that the last change of each record has its revision, and that of each deleted record says so. */
export function checkRecordChanges({ db, report }: VerifyContext): void {
  for (const { found, ...change } of db.raw.prepare<[], MissingChange>(RECORD_CHANGES).iterate()) {
    addMissingChange(report, change, found, ["changes", change]);
  }
}

/** Ids that are both a term and deleted are reported by another check. */
const TERM_CHANGES = `
WITH said AS (SELECT seq, id, action, revision FROM change
    WHERE kind = 'term' AND place = @vocabulary AND action <> 'imported'
  UNION ALL SELECT c.seq, e.id, e.action, e.revision
    FROM change c JOIN change_term e ON e.import = CAST(c.id AS INTEGER)
    WHERE c.kind = 'term' AND c.place = @vocabulary AND c.action = 'imported'),
last AS MATERIALIZED (SELECT id, action, revision, max(seq) FROM said GROUP BY id),
present AS (SELECT ext AS id, 'updated' AS action, revision FROM term_$g
  UNION ALL SELECT ext, 'removed', revision FROM life l WHERE vocabulary = @vocabulary AND NOT EXISTS (
    SELECT 1 FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = l.ext AND t.ext = l.ext COLLATE BINARY))
SELECT 'term' AS kind, present.action, @vocabulary AS place, present.id, present.revision,
  coalesce(iif(last.action = 'removed', 'removed, ', '') || 'revision ' || last.revision, 'no change') AS found
FROM present LEFT JOIN last ON last.id = present.id
WHERE last.revision IS NOT present.revision OR (last.action = 'removed') IS NOT (present.action = 'removed')`;

/** Checks that the last change of each term has its revision, and that of each deleted id says that it was removed. */
export function checkTermChanges({ db, vocabulary: { name }, generation, report }: TermVerifyContext): void {
  const empty = db.sql<number>(
    `SELECT seq FROM change WHERE kind = 'term' AND place = ? AND action = 'imported'
     AND NOT EXISTS (SELECT 1 FROM change_term WHERE import = CAST(change.id AS INTEGER))`,
  );
  for (const seq of empty.pluck().all(name)) addEmptyImport(report, seq);
  for (const { found, ...change } of generation.sql<MissingChange>(TERM_CHANGES).iterate({ vocabulary: name })) {
    addMissingChange(report, change, found, ["changes", change]);
  }
}
