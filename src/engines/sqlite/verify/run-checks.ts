import type { Catalog } from "../../../core/catalog/types.js";
import type { OnProgress } from "../../../ports/store-admin.js";
import { termSignature } from "../../../query/index-model/term-document.js";
import { Report, type Verified } from "../../verify/report.js";
import { type Db, openDatabase } from "../connection/database.js";
import { recordWriting } from "../records/record-index.js";
import { currentGeneration } from "../vocabulary/store/generation.js";
import { checkChangeOrder, checkRecordChanges, checkTermChanges } from "./check-changes.js";
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
