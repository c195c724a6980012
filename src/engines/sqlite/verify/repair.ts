import { OPERATOR } from "../../../core/actor.js";
import type { Catalog } from "../../../core/catalog/types.js";
import type { OnProgress, Repair } from "../../../ports/store-admin.js";
import {
  doneOf,
  type RepairCounts,
  repairEntries,
  repairInRounds,
  type Verified,
} from "../../verify/repair-in-rounds.js";
import { noteAudit } from "../accounts/audit-log.js";
import { type Change, noteChange } from "../connection/change-table.js";
import { type Db, openDatabase } from "../connection/database.js";
import { makeWriter, type Writer } from "../connection/write-connection.js";
import { OPEN_GATE } from "../connection/write-gate.js";
import { registerPaths } from "../documents/path-dictionary.js";
import { addChecksums } from "../records/background-checksums.js";
import { followStale } from "../records/follow-terms.js";
import { recordWriting } from "../records/record-index.js";
import { type BulkLoader, openBulkLoader } from "../vocabulary/load/bulk-loader.js";
import { eachInSteps } from "../vocabulary/load/each-in-steps.js";
import { currentGeneration } from "../vocabulary/store/generation.js";
import { heartbeatTime } from "../vocabulary/store/make-generation.js";
import { findRow } from "../vocabulary/store/put-row.js";
import { correctTable } from "./check-counters.js";
import type { FilePlan } from "./file-plan.js";
import { rebuildFlags, rebuildRecord } from "./rebuild-record.js";
import { dropLeftovers, rebuildVocabulary } from "./rebuild-vocabulary.js";
import { verifyStore } from "./run-checks.js";

/** Verifies, rebuilds and verifies again, until all agrees that can. */
export async function repairStore(folder: string, catalog: Catalog, onProgress: OnProgress): Promise<Repair> {
  const verify = (): Verified<FilePlan> => verifyStore(folder, catalog, onProgress);
  return repairInRounds(verify, (found, round) => {
    if (round > 1) refill(found);
    return repair(folder, catalog, found.plan);
  });
}

/** Rows of the index that were made again and are wrong still: their table is damaged. */
function refill({ verification: { counts }, plan: { tables } }: Verified<FilePlan>): void {
  const isWrong = ["index.text", "index.rows", "index.strays"].some((check) => (counts[check] ?? 0) > 0);
  if (isWrong) tables.add("text");
}

async function repair(folder: string, catalog: Catalog, plan: FilePlan): Promise<RepairCounts> {
  const db = openDatabase(folder, "writer");
  const writer = makeWriter(db, { nowMicros: heartbeatTime }, { gate: OPEN_GATE });
  try {
    registerPaths(db, catalog);
    const counts = await rebuildAll(writer, catalog, plan);
    const done = doneOf(counts);
    await writer.run((now) => {
      for (const entry of repairEntries(done)) noteAudit(db, now, OPERATOR, entry);
    });
    return done;
  } finally {
    await writer.idle();
    db.close();
  }
}

/**
 * Rebuilds everything but indexes of SQLite. These come first, in a round of their own: what the checks read through an
 * index that lacks rows looks as if it were missing, and a repair of that would remove what is there.
 */
async function rebuildAll(writer: Writer, catalog: Catalog, plan: FilePlan): Promise<RepairCounts> {
  if (plan.indexes.size > 0) return { indexes: await rebuildIndexes(writer, plan.indexes) };
  const loader = openBulkLoader(writer);
  const { db } = loader;
  try {
    // Items first: the index of records takes the names of what they cite from them.
    let generations = 0;
    for (const name of plan.vocabularies) {
      const vocabulary = catalog.vocabularies.get(name);
      if (vocabulary !== undefined && (await rebuildVocabulary(writer, loader, vocabulary))) generations += 1;
    }
    const leftovers = await dropLeftovers(loader, plan.leftovers);
    const records = await rebuildRecords(loader, catalog, plan);
    const tables = await rebuildTables(writer, loader, plan);
    // Last, so that what was noted by then is seen.
    const changes = await eachInSteps(loader, plan.changes, (change, now) => noteMissing(db, change, now));
    await followStale(loader, catalog);
    return { generations, leftovers, ...records, ...tables, changes: changes.done };
  } finally {
    loader.close();
  }
}

/** The write lock is held for as long as it takes. */
async function rebuildIndexes({ db, run }: Writer, names: ReadonlySet<string>): Promise<number> {
  const isOurs = db.raw.prepare<[string], number>("SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?");
  const ours = [...names].filter((name) => isOurs.get(name) !== undefined);
  for (const name of ours) {
    await run((now) => {
      db.raw.exec(`REINDEX ${name}`);
      // What was read through it and is kept in memory is read again.
      noteChange(db, now, { kind: "record", action: "reindexed", place: "" });
    });
  }
  return ours.length;
}

async function rebuildRecords(loader: BulkLoader, catalog: Catalog, plan: FilePlan): Promise<RepairCounts> {
  const { db } = loader;
  const writing = recordWriting(db, catalog);
  if (plan.tables.has("text")) {
    await loader.steps(() => {
      for (const table of ["leaf", "elem"]) db.raw.exec(`INSERT INTO ${table}(${table}) VALUES('delete-all')`);
      return "done";
    });
    for (const row of db.sql<number>("SELECT id FROM rec ORDER BY id").pluck().all()) plan.records.add(row);
  }
  const index = await eachInSteps(loader, plan.records, (row, now) => rebuildRecord(writing, row, now));
  const versions = await eachInSteps(loader, plan.parents, (parent, now) => rebuildFlags(writing, parent, now));
  return { index: index.done, versions: versions.done };
}

/** What follows from all records. */
async function rebuildTables(writer: Writer, loader: BulkLoader, { tables }: FilePlan): Promise<RepairCounts> {
  const counts: RepairCounts = {};
  for (const table of ["citations", "drafts", "counters", "shares"] as const) {
    if (tables.has(table)) counts[table] = await correctTable(loader, table);
  }
  if (tables.has("checksums")) counts.checksums = await addChecksums(writer);
  return counts;
}

/** Adds a change, unless the record or term was written since, which has a change that says so. */
function noteMissing(db: Db, change: Change, now: number): boolean {
  const isRemoval = change.action === "removed";
  if (revisionOf(db, change) !== (isRemoval ? undefined : change.revision)) return false;
  noteChange(db, now, change);
  return true;
}

/** The present revision of what a change is of; undefined where it is gone. */
function revisionOf(db: Db, { kind, place, id = "", rec }: Change): number | undefined {
  if (kind === "record") return db.sql<number>("SELECT revision FROM rec WHERE id = ?").pluck().get(rec);
  const generation = currentGeneration(db, place);
  return generation && findRow(generation, id)?.revision;
}
