import type { Catalog } from "../../../core/catalog/types.js";
import type { OnProgress, Verification } from "../../../ports/store-admin.js";
import { openDatabase } from "../connection/database.js";
import { recordWriting } from "../records/record-index.js";
import { currentGeneration, signatureOf } from "../vocabulary/store/generation.js";
import { checkChangeOrder, checkRecordChanges, checkTermChanges } from "./check-changes.js";
import { checkCitations, checkCounters, checkShares } from "./check-counters.js";
import { checkFile } from "./check-file.js";
import { checkGeneration, checkLeftovers } from "./check-generation.js";
import { checkRows, checkTombstones } from "./check-ids.js";
import { checkItems } from "./check-items.js";
import { checkLineage, checkParents } from "./check-lineage.js";
import { checkRecords } from "./check-records.js";
import { checkSaved } from "./check-saved.js";
import { checkVersions } from "./check-versions.js";
import { makeRecordTokens } from "./compare-tokens.js";
import type { RepairPlan, RepairUnit } from "./repair-plan.js";
import { Report } from "./report.js";
import type { VerifyContext, VerifyingItems } from "./verify-context.js";

/** What was found, and what would repair it. */
export interface Verified {
  readonly verification: Verification;
  readonly plan: RepairPlan;
}

/**
 * Runs all checks on one state of the file: what is written meanwhile is not seen, and the log is kept until they end.
 * Memory is some bytes for each record and each item; what is counted again lies in a temporary file.
 */
export function verifyStore(folder: string, catalog: Catalog, onProgress: OnProgress): Verified {
  const db = openDatabase(folder, "reader");
  try {
    db.raw.pragma("temp_store = FILE");
    return db.read(() => {
      const report = new Report(onProgress);
      const verifying = { ...recordWriting(db, catalog), report };
      report.check("file.integrity", () => checkFile(verifying));
      verifyRecords(verifying);
      const terms = verifyTerms(verifying);
      return { verification: report.summary(db, terms), plan: report.plan };
    });
  } finally {
    db.close();
  }
}

function verifyRecords(verifying: VerifyContext): void {
  const { report } = verifying;
  const tokens = makeRecordTokens(verifying);
  const isRead = report.check("record.columns", () => checkRecords(verifying, tokens));
  if (isRead) report.check("index.text", () => tokens.check());
  report.check("record.rows", () => checkRows(verifying));
  report.check("record.versions", () => checkVersions(verifying));
  report.check("tombstone.rows", () => checkTombstones(verifying));
  report.check("record.shares", () => checkShares(verifying));
  report.check("record.counter", () => checkCounters(verifying));
  report.check("counters.citations", () => checkCitations(verifying));
  report.check("changes.order", () => checkChangeOrder(verifying));
  report.check("changes.records", () => checkRecordChanges(verifying));
}

/** @returns how many items there are */
function verifyTerms(verifying: VerifyContext): number {
  const { db, catalog, report } = verifying;
  report.check("generation.leftovers", () => checkLeftovers(verifying));
  let terms = 0;
  for (const vocabulary of catalog.vocabularies.values()) {
    const generation = currentGeneration(db, vocabulary.name);
    if (generation === undefined) continue;
    terms += generation.count;
    const items: VerifyingItems = { ...verifying, vocabulary, generation };
    if (generation.signature !== signatureOf(vocabulary)) {
      report.note(
        `${vocabulary.name} was indexed for another declaration; a running server rebuilds the index automatically.`,
      );
      continue;
    }
    const again: RepairUnit = ["vocabularies", vocabulary.name];
    report.check("generation.counters", () => checkGeneration(items), again);
    report.check("items.columns", () => checkItems(items), again);
    report.check("items.parents", () => checkParents(items));
    report.check("items.lineage", () => checkLineage(items), again);
    report.check("items.saved", () => checkSaved(items), again);
    report.check("changes.terms", () => checkTermChanges(items));
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
