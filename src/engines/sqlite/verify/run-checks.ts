import type { Catalog } from "../../../core/catalog/types.js";
import type { OnProgress } from "../../../ports/store-admin.js";
import { termSignature } from "../../../query/index-model/term-signature.js";
import type { Verified } from "../../verify/repair-in-rounds.js";
import { Report } from "../../verify/report.js";
import { openDatabase } from "../connection/database.js";
import { recordWriting } from "../records/record-index.js";
import { currentGeneration } from "../vocabulary/store/generation.js";
import { checkChangeOrder, checkRecordChanges, checkTermChanges } from "./check-changes.js";
import { checkValueTypes } from "./check-columns.js";
import { checkCitations, checkCounters, checkDrafts, checkShares } from "./check-counters.js";
import { checkFile } from "./check-file.js";
import { checkGeneration, checkLeftovers } from "./check-generation.js";
import { checkRows, checkTombstones } from "./check-ids.js";
import { checkItems } from "./check-items.js";
import { checkLineage, checkParents } from "./check-lineage.js";
import { checkRecords } from "./check-records.js";
import { checkSaved } from "./check-saved.js";
import { checkVersions } from "./check-versions.js";
import { makeRecordTokens } from "./compare-tokens.js";
import { type FilePlan, type FileUnit, makeFilePlan } from "./file-plan.js";
import { countAll, runCheck } from "./run-check.js";
import type { VerifyContext, VerifyingItems } from "./verify-context.js";

/**
 * Runs all checks on one state of the file: what is written meanwhile is not seen, and the log is kept until they end.
 * Memory is some bytes for each record and each item; what is counted again lies in a temporary file.
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

/** @returns the number of items that were compared */
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
    const items: VerifyingItems = { ...verifying, vocabulary, generation };
    const again: FileUnit = ["vocabularies", vocabulary.name];
    runCheck(report, "generation.counters", () => checkGeneration(items), again);
    runCheck(report, "items.columns", () => checkItems(items), again);
    runCheck(report, "items.parents", () => checkParents(items));
    runCheck(report, "items.lineage", () => checkLineage(items), again);
    runCheck(report, "items.saved", () => checkSaved(items), again);
    runCheck(report, "changes.terms", () => checkTermChanges(items));
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
