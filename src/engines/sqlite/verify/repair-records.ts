import { flagsIn, flagsOf, withFlags } from "../../../core/records/version-flags.js";
import { formatInstant } from "../../../core/time.js";
import { noteChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import { updateBody } from "../records/record-bodies.js";
import { discountUses, dropIndexRows, markTwins, reindexRecord } from "../records/reindex-record.js";
import { raiseCounter } from "../records/taken-ids.js";
import type { CitationDifference, MissingChange, RepairPlan } from "./repair-plan.js";
import type { RepairContext } from "./repair-steps.js";
import { repairEach } from "./repair-steps.js";
import { versionsOf } from "./version-bodies.js";

/** Mends rows, index, counters and changes of records. */
export async function repairRecords(repair: RepairContext, plan: RepairPlan): Promise<void> {
  const { writing, loader } = repair;
  const { db } = loader;
  const reindex = (row: number, now: number): boolean => reindexRecord(writing, row, now);
  await emptyTables(repair, plan);
  await repairEach(repair, "retracted", plan.retracted, (row, now) => removeRetracted(db, row, now));
  await repairEach(repair, "records", plan.bodies, reindex);
  await repairEach(repair, "index", plan.records, reindex);
  await repairEach(repair, "strays", plan.strays, (row, now) => dropStray(db, row, now));
  await repairEach(repair, "versions", plan.parents, (parent, now) => repairFlags(repair, parent, now));
  await repairEach(repair, "counters", plan.counters, ([id, least]) => raiseCounter(db, id, least));
  await repairEach(repair, "words", plan.words, (word) => {
    return db.sql("INSERT INTO word(word) VALUES(?) ON CONFLICT DO NOTHING").run(word).changes > 0;
  });
  await repairEach(repair, "citations", plan.uses, (use, now) => repairUse(db, use, now));
  await repairEach(repair, "shares", plan.shares, (id) => dropShares(db, id));
  await repairEach(repair, "changes", plan.changes, (change, now) => noteLast(db, change, now));
  await repairEach(repair, "changes", plan.removals, (change, now) => noteRemoval(db, change, now));
}

/** Rebuilds indexes of SQLite: the one kind of repair that holds the write lock for as long as it takes. */
export async function rebuildIndexes({ writer, count }: RepairContext, indexes: ReadonlySet<string>): Promise<void> {
  for (const name of indexes) {
    const isOurs = writer.db.raw.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?").get(name);
    if (isOurs === undefined) continue;
    await writer.run(() => void writer.db.raw.exec(`REINDEX ${name}`));
    count("indexes", 1);
  }
}

/** Empties full-text tables that are damaged; all records are put into them again. */
async function emptyTables({ loader, count }: RepairContext, { tables, records }: RepairPlan): Promise<void> {
  if (tables.size === 0) return;
  await loader.steps(() => {
    for (const table of ["leaf", "elem"]) loader.db.raw.exec(`INSERT INTO ${table}(${table}) VALUES('delete-all')`);
    return "done";
  });
  for (const row of loader.db.sql<number>("SELECT id FROM rec ORDER BY id").pluck().all()) records.add(row);
  count("tables", tables.size);
}

function dropStray(db: Db, row: number, now: number): boolean {
  if (db.sql("SELECT 1 FROM rec WHERE id = ?").get(row) !== undefined) return false;
  dropIndexRows(db, row);
  noteChange(db, now, { kind: "record", action: "reindexed", place: "", rec: row });
  return true;
}

interface RowColumns {
  readonly pid: string;
  readonly state: number;
  readonly model: string;
  readonly revision: number;
}

const find = (db: Db, row: number): RowColumns | undefined =>
  db.sql<RowColumns>("SELECT pid, state, model, revision FROM rec WHERE id = ?").get(row);

/** Removes what was left of a record when it was retracted. */
function removeRetracted(db: Db, row: number, now: number): boolean {
  const left = find(db, row);
  if (left === undefined) return false;
  const { pid: id, model: place } = left;
  const state = left.state === 0 ? "draft" : "published";
  const revision = db.sql<number>("SELECT revision FROM tombstone WHERE id = ?").pluck().get(id) ?? left.revision;
  discountUses(db, row);
  dropIndexRows(db, row);
  db.sql("DELETE FROM rec WHERE id = ?").run(row);
  db.sql("DELETE FROM doc WHERE id = ?").run(row);
  markTwins(db, id);
  noteChange(db, now, { kind: "record", action: "removed", place, id, state, revision, rec: row });
  return true;
}

/** Bodies that say wrongly which version is the latest are written anew, each with the next revision of its id. */
function repairFlags({ writing }: RepairContext, parent: string, now: number): boolean {
  const { db } = writing;
  const all = versionsOf(db, parent);
  const raised = new Map<string, number>();
  for (const version of all) {
    const { row, body } = version;
    const flags = flagsOf(version, all);
    if (JSON.stringify(flags) === JSON.stringify(flagsIn(body))) continue;
    const last = db.sql<number>("SELECT revision FROM taken WHERE id = ?").pluck().get(body.id) ?? body.revision_id;
    // All rows of an id that change together take the same number.
    const revision = raised.get(body.id) ?? last + 1;
    raised.set(body.id, revision);
    const repaired = { ...withFlags(body, flags), updated: formatInstant(now), revision_id: revision };
    updateBody(db, row, JSON.stringify(repaired), revision);
    if (!reindexRecord(writing, row, now)) continue;
    raiseCounter(db, body.id, revision);
    const { id, model: place, state } = body;
    noteChange(db, now, { kind: "record", action: "updated", place, id, state, revision, rec: row });
  }
  return raised.size > 0;
}

/** What was counted meanwhile was counted on top of what was wrong. */
function repairUse(db: Db, { vocabulary, id, published, others }: CitationDifference, now: number): boolean {
  const seq = noteChange(db, now, { kind: "record", action: "reindexed", place: "" });
  db.sql(
    `INSERT INTO use(vocabulary, ext, n, drafts, seq) VALUES(?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET n = n + excluded.n, drafts = drafts + excluded.drafts, seq = excluded.seq`,
  ).run(vocabulary, id, published, others, seq);
  return true;
}

function dropShares(db: Db, id: string): boolean {
  if (db.sql("SELECT 1 FROM rec WHERE pid = ? AND state = 0").get(id) !== undefined) return false;
  return db.sql("DELETE FROM access WHERE pid = ?").run(id).changes > 0;
}

/** A record that was written since has a change that says so. */
function noteLast(db: Db, { row, id, model: place, state, revision }: MissingChange, now: number): boolean {
  if (find(db, row)?.revision !== revision) return false;
  noteChange(db, now, { kind: "record", action: "updated", place, id, state, revision, rec: row });
  return true;
}

function noteRemoval(db: Db, { row, id, model: place, state, revision }: MissingChange, now: number): boolean {
  if (find(db, row) !== undefined) return false;
  noteChange(db, now, { kind: "record", action: "removed", place, id, state, revision, rec: row });
  return true;
}
