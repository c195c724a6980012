import type { Catalog } from "../../../core/catalog/types.js";
import type { OnProgress } from "../../../ports/store-admin.js";
import { termSignature } from "../../../query/index-model/term-document.js";
import { addEmptyImport, addMissingChange, makeChangeOrder, type NumberedChange } from "../../verify/compare-beside.js";
import { Report, type Verified } from "../../verify/report.js";
import type { Change } from "../connection/change-table.js";
import { type Db, openDatabase } from "../connection/database.js";
import { recordWriting } from "../records/record-index.js";
import { currentGeneration } from "../vocabulary/store/generation.js";
import { checkValueTypes } from "./check-columns.js";
import { checkCitations, checkCounters, checkDrafts, checkShares } from "./check-counters.js";
import { checkGeneration, checkLeftovers, checkLineage, checkParents, checkSaved } from "./check-generation.js";
import { checkRecords, makeRecordTokens } from "./check-records.js";
import { checkRows, checkTombstones, checkVersions } from "./check-rows.js";
import { checkTerms } from "./check-terms.js";
import {
  countAll,
  type FilePlan,
  type FileUnit,
  makeFilePlan,
  runCheck,
  type TermVerifyContext,
  type VerifyContext,
} from "./verify-context.js";

/**
 * Runs all checks on one snapshot of the file. Concurrent writes are not seen, and the log is kept until the checks
 * end. They use a few bytes of memory per record and term; counts that are computed again are in a temporary file.
 */
export function verifyStore(folder: string, catalog: Catalog, onProgress: OnProgress): Verified<FilePlan> {
  const db = openDatabase(folder, "reader");
  try {
    db.raw.pragma("temp_store = FILE");
    return db.read(() => {
      const report = new Report(makeFilePlan(), onProgress);
      const verifying = { ...recordWriting(db, catalog), report };
      runCheck(report, "file.integrity", () => checkFile(verifying));
      runCheck(report, "column.type", () => checkValueTypes(verifying));
      verifyRecords(verifying);
      const terms = verifyTerms(verifying);
      return { verification: report.summary(countAll(db, terms)), plan: report.plan };
    });
  } finally {
    db.close();
  }
}

function verifyRecords(verifying: VerifyContext): void {
  const { report } = verifying;
  const tokens = makeRecordTokens(verifying);
  const isRead = runCheck(report, "record.columns", () => checkRecords(verifying, tokens));
  if (isRead) runCheck(report, "index.text", () => tokens.check());
  runCheck(report, "record.rows", () => checkRows(verifying));
  runCheck(report, "record.versions", () => checkVersions(verifying));
  runCheck(report, "tombstone.rows", () => checkTombstones(verifying));
  runCheck(report, "record.shares", () => checkShares(verifying));
  runCheck(report, "record.counter", () => checkCounters(verifying));
  runCheck(report, "counters.citations", () => checkCitations(verifying));
  runCheck(report, "counters.drafts", () => checkDrafts(verifying));
  runCheck(report, "changes.order", () => checkChangeOrder(verifying));
  runCheck(report, "changes.records", () => checkRecordChanges(verifying));
}

/** Runs the checks of all vocabularies. @returns the number of terms that were compared */
function verifyTerms(verifying: VerifyContext): number {
  const { db, catalog, report } = verifying;
  runCheck(report, "generation.leftovers", () => checkLeftovers(verifying));
  let terms = 0;
  for (const vocabulary of catalog.vocabularies.values()) {
    const generation = currentGeneration(db, vocabulary.name);
    if (generation === undefined) continue;
    if (generation.signature !== termSignature(vocabulary)) {
      report.leaveOut(vocabulary.name);
      continue;
    }
    terms += generation.count;
    const termContext: TermVerifyContext = { ...verifying, vocabulary, generation };
    const unit: FileUnit = ["vocabularies", vocabulary.name];
    runCheck(report, "generation.counters", () => checkGeneration(termContext), unit);
    runCheck(report, "items.columns", () => checkTerms(termContext), unit);
    runCheck(report, "items.parents", () => checkParents(termContext));
    runCheck(report, "items.lineage", () => checkLineage(termContext), unit);
    runCheck(report, "items.saved", () => checkSaved(termContext), unit);
    runCheck(report, "changes.terms", () => checkTermChanges(termContext));
  }
  noteUnknown(verifying);
  return terms;
}

function noteUnknown({ db, catalog, report }: VerifyContext): void {
  for (const name of db.sql<string>("SELECT vocabulary FROM generation WHERE state = 'current'").pluck().all()) {
    if (catalog.vocabularies.has(name)) continue;
    report.note(`The catalog has no vocabulary ${name}: its terms are not compared.`);
  }
}

/** Maximum number of problems that SQLite lists. */
const PROBLEMS_MAX = 1_000;

/**
 * Runs SQLite's own check of pages, tables and indexes, including full-text tables. A problem of an index or full-text
 * table can be repaired; one of a table cannot.
 */
function checkFile({ db, report }: VerifyContext): void {
  const problems = db.raw.prepare<[], string>(`PRAGMA integrity_check(${PROBLEMS_MAX})`).pluck().all();
  for (const problem of problems) {
    if (problem === "ok") continue;
    report.add(
      { check: "file.integrity", where: "the file", expected: "ok", found: problem },
      unitOfProblem(db, problem),
    );
  }
}

/** Returns the unit to rebuild for a problem that SQLite reports. */
function unitOfProblem(db: Db, problem: string): FileUnit | undefined {
  const text = /(?:from table "|FTS5 table \w+\.)(\w+)/i.exec(problem)?.[1];
  const index = /(?:missing from|entries in) index (\w+)/.exec(problem)?.[1];
  if (text === "leaf" || text === "elem") return ["tables", "text"];
  if (text === undefined) return index === undefined || index.startsWith("sqlite_") ? undefined : ["indexes", index];
  const g = Number(/_(\d+)$/.exec(text)?.[1]);
  const vocabulary = db.sql<string>("SELECT vocabulary FROM generation WHERE g = ?").pluck().get(g);
  return vocabulary === undefined ? undefined : ["vocabularies", vocabulary];
}

/** Checks that the change table is complete and in order. */
function checkChangeOrder({ db, report }: VerifyContext): void {
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
function checkRecordChanges({ db, report }: VerifyContext): void {
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
function checkTermChanges({ db, vocabulary: { name }, generation, report }: TermVerifyContext): void {
  const empty = db.sql<number>(
    `SELECT seq FROM change WHERE kind = 'term' AND place = ? AND action = 'imported'
     AND NOT EXISTS (SELECT 1 FROM change_term WHERE import = CAST(change.id AS INTEGER))`,
  );
  for (const seq of empty.pluck().all(name)) addEmptyImport(report, seq);
  for (const { found, ...change } of generation.sql<MissingChange>(TERM_CHANGES).iterate({ vocabulary: name })) {
    addMissingChange(report, change, found, ["changes", change]);
  }
}
