import { OPERATOR } from "../../../core/actor.js";
import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { BinderyError } from "../../../core/errors.js";
import type { RecordHead } from "../../../core/record.js";
import type { OnProgress, Repair } from "../../../ports/store-admin.js";
import { withRightFlags } from "../../verify/compare-record.js";
import { readVerifiedTerm } from "../../verify/compare-term.js";
import { nonZeroCounts, type RepairCounts, repairEntries, repairInRounds, type Verified } from "../../verify/report.js";
import { noteAudit } from "../accounts/write-log.js";
import { type Change, noteChange } from "../connection/change-table.js";
import { type Db, openDatabase } from "../connection/database.js";
import { makeWriter, OPEN_GATE, type Writer } from "../connection/write-connection.js";
import { registerPaths } from "../documents/dictionaries.js";
import { addChecksums } from "../records/checksums.js";
import { followStale } from "../records/follow-terms.js";
import { clearIndex, type RecordWriting, recordWriting, reindexRecord } from "../records/record-index.js";
import { putHead, removeState } from "../records/record-writer.js";
import { type BulkLoader, eachInSteps, openBulkLoader } from "../vocabulary/load/bulk-loader.js";
import { dropGenerations } from "../vocabulary/load/drop-generations.js";
import { remakeGeneration } from "../vocabulary/load/load-terms.js";
import { currentGeneration, type Generation, heartbeatTime } from "../vocabulary/store/generation.js";
import { findRow, type StoredRow } from "../vocabulary/store/term-rows.js";
import { correctTable } from "./check-counters.js";
import { intactVersions } from "./check-rows.js";
import { verifyStore } from "./run-checks.js";
import { type FilePlan, recordState } from "./verify-context.js";

/** Verifies, rebuilds and verifies again until everything that can be repaired agrees. */
export async function repairStore(folder: string, catalog: Catalog, onProgress: OnProgress): Promise<Repair> {
  const verify = (): Verified<FilePlan> => verifyStore(folder, catalog, onProgress);
  return repairInRounds(verify, (verified, round) => {
    if (round > 1) refill(verified);
    return repair(folder, catalog, verified.plan);
  });
}

/** Plans to refill a full-text table whose rows were rebuilt and are still wrong: the table itself is damaged. */
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
    const repaired = nonZeroCounts(counts);
    await writer.run((now) => {
      for (const entry of repairEntries(repaired)) noteAudit(db, now, OPERATOR, entry);
    });
    return repaired;
  } finally {
    await writer.idle();
    db.close();
  }
}

/**
 * Rebuilds everything but SQLite indexes, which are rebuilt first, in a round of their own: rows missing from an index
 * seem to be missing from the store, and a repair of that would remove data.
 */
async function rebuildAll(writer: Writer, catalog: Catalog, plan: FilePlan): Promise<RepairCounts> {
  if (plan.indexes.size > 0) return { indexes: await rebuildIndexes(writer, plan.indexes) };
  const loader = openBulkLoader(writer);
  const { db } = loader;
  try {
    // Terms come first, because the index of records takes names from them.
    let generations = 0;
    for (const name of plan.vocabularies) {
      const vocabulary = catalog.vocabularies.get(name);
      if (vocabulary !== undefined && (await rebuildVocabulary(writer, loader, vocabulary))) generations += 1;
    }
    const leftovers = await dropLeftovers(loader, plan.leftovers);
    const records = await rebuildRecords(loader, catalog, plan);
    const tables = await rebuildTables(writer, loader, plan);
    // Last, so that changes written by the steps above count.
    const changes = await eachInSteps(loader, plan.changes, (change, now) => noteMissing(db, change, now));
    await followStale(loader, catalog);
    return { generations, leftovers, ...records, ...tables, changes: changes.done };
  } finally {
    loader.close();
  }
}

/** Rebuilds SQLite indexes. Each holds the write lock until it is done. */
async function rebuildIndexes({ db, run }: Writer, names: ReadonlySet<string>): Promise<number> {
  const indexRow = db.raw.prepare<[string], number>("SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?");
  const indexes = [...names].filter((name) => indexRow.get(name) !== undefined);
  for (const name of indexes) {
    await run((now) => {
      db.raw.exec(`REINDEX ${name}`);
      // Makes caches reload what they read through the index.
      noteChange(db, now, { kind: "record", action: "reindexed", place: "" });
    });
  }
  return indexes.length;
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

/** Rebuilds tables that are derived from all records. */
async function rebuildTables(writer: Writer, loader: BulkLoader, { tables }: FilePlan): Promise<RepairCounts> {
  const counts: RepairCounts = {};
  for (const table of ["citations", "drafts", "counters", "shares"] as const) {
    if (tables.has(table)) counts[table] = await correctTable(loader, table);
  }
  if (tables.has("checksums")) counts.checksums = await addChecksums(writer);
  return counts;
}

/** Adds a missing change, unless the record or term was written since, which wrote its own change. */
function noteMissing(db: Db, change: Change, now: number): boolean {
  const isRemoval = change.action === "removed";
  if (currentRevision(db, change) !== (isRemoval ? undefined : change.revision)) return false;
  noteChange(db, now, change);
  return true;
}

/** Returns the current revision of the subject of a change, undefined if it was deleted. */
function currentRevision(db: Db, { kind, place, id = "", rec }: Change): number | undefined {
  if (kind === "record") return db.sql<number>("SELECT revision FROM rec WHERE id = ?").pluck().get(rec);
  const generation = currentGeneration(db, place);
  return generation && findRow(generation, id)?.revision;
}

/**
 * Rebuilds everything derived from the body of a row, in the open transaction. Removes it if there is no record or it
 * was retracted.
 * @returns false if the body cannot be read
 */
function rebuildRecord(writing: RecordWriting, row: number, now: number): boolean {
  const { db } = writing;
  const isIndexed = reindexRecord(writing, row, now);
  const record = db
    .sql<{ id: string; state: number; revision: number; last: number | null }>(
      `SELECT rec.pid AS id, rec.state, rec.revision, tombstone.revision AS last
       FROM rec LEFT JOIN tombstone ON tombstone.id = rec.pid WHERE rec.id = ?`,
    )
    .get(row);
  if (record === undefined) {
    clearIndex(db, row);
    noteChange(db, now, { kind: "record", action: "reindexed", place: "", rec: row });
    return true;
  }
  const { id, state, revision, last: retractedRevision } = record;
  if (retractedRevision === null || revision > retractedRevision) return isIndexed;
  clearIndex(db, row);
  db.sql("UPDATE rec SET cites = '[]', elements = 0 WHERE id = ?").run(row);
  removeState(db, now, id, { state: recordState(state), revision: retractedRevision });
  return true;
}

/** Corrects the flags of the versions under a parent, each with the next revision of its id. */
function rebuildFlags(writing: RecordWriting, parent: string, now: number): boolean {
  const { db, catalog } = writing;
  const counter = db.sql<number>("SELECT revision FROM taken WHERE id = ?").pluck();
  // Without its model a row cannot be rebuilt and may be damaged.
  const canChange = ({ model }: RecordHead): boolean => catalog.models.has(model);
  const correctedVersions = withRightFlags(intactVersions(db, parent), now, canChange, (id) => counter.get(id));
  for (const [version, head] of correctedVersions) putHead(writing, now, version, head);
  return correctedVersions.length > 0;
}

/**
 * Rebuilds a vocabulary as a new generation, from the content of its terms.
 * @returns false if a term cannot be read, or an import is running, which makes a new generation too
 */
async function rebuildVocabulary(writer: Writer, loader: BulkLoader, vocabulary: Vocabulary): Promise<boolean> {
  const { db } = loader;
  const ids = currentGeneration(db, vocabulary.name)?.sql<number>("SELECT id FROM term_$g ORDER BY id").pluck().all();
  // Otherwise existing rows from this number on would count as written during the rebuild.
  await writer.run(() => {
    const next = "max(next, (SELECT coalesce(max(id), 0) + 1 FROM term_$g))";
    currentGeneration(writer.db, vocabulary.name)?.sql(`UPDATE generation SET next = ${next} WHERE g = $g`).run();
  });
  let isReadable = true;
  const { refusal } = await eachInSteps(loader, ids ?? [], (id) => {
    const generation = currentGeneration(db, vocabulary.name);
    if (generation !== undefined && !rebuildRow(generation, vocabulary, id)) isReadable = false;
    return true;
  });
  if (!isReadable || refusal !== undefined) return false;
  try {
    await remakeGeneration(writer, vocabulary, () => false);
    return true;
  } catch (error) {
    if (!(error instanceof BinderyError)) throw error;
    return false;
  }
}

/**
 * Corrects a row from its content. If several rows have one id, only the last one stays. @returns whether the row can
 * be read
 */
function rebuildRow(generation: Generation, vocabulary: Vocabulary, id: number): boolean {
  const row = generation.sql<StoredRow>("SELECT * FROM term_$g WHERE id = ?").get(id);
  if (row === undefined) return true;
  const laterRow = generation.sql(
    `SELECT 1 FROM ext_$g e JOIN term_$g t ON t.id = e.id WHERE e.ext = ? AND t.ext = ? COLLATE BINARY AND t.id > ?`,
  );
  if (laterRow.get(row.ext, row.ext, id) !== undefined) {
    generation.sql("DELETE FROM term_$g WHERE id = ?").run(id);
    return true;
  }
  const term = readVerifiedTerm(row, vocabulary);
  if (typeof term === "string") return false;
  if (term.wrong.length > 0) {
    const columns = Object.keys(term.expected).map((column) => `${column} = @${column}`);
    generation.sql(`UPDATE term_$g SET ${columns.join(", ")} WHERE id = @id`).run({ ...term.expected, id });
  }
  return true;
}

const LEFTOVER = `INSERT INTO generation(g, vocabulary, state, ranked, active, next, count, writes, nested, signature,
  owner, touched) VALUES(?, '', 'dropping', 0, 0, 1, 0, 0, 0, '', '', 0) ON CONFLICT DO NOTHING`;

/**
 * Registers numbers that belong to no generation as generations to be dropped, and drops them. @returns their number
 */
async function dropLeftovers(loader: BulkLoader, numbers: ReadonlySet<number>): Promise<number> {
  const { done } = await eachInSteps(loader, numbers, (g) => loader.db.sql(LEFTOVER).run(g).changes > 0);
  if (done > 0) await dropGenerations(loader);
  return done;
}
