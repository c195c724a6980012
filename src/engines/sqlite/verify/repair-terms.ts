import type { Vocabulary } from "../../../core/catalog/types.js";
import { BinderyError } from "../../../core/errors.js";
import { contentOf } from "../../../core/terms/term-row.js";
import { noteChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import { dropGenerations } from "../vocabulary/load/drop-generations.js";
import { remakeGeneration } from "../vocabulary/load/load-terms.js";
import { currentGeneration, type Generation } from "../vocabulary/store/generation.js";
import { findRow, type StoredRow } from "../vocabulary/store/put-row.js";
import { expectedRow, ITEM_COLUMNS } from "./check-items.js";
import type { MissingTermChange, RepairPlan, VocabularyRepairs } from "./repair-plan.js";
import { type RepairContext, repairEach } from "./repair-steps.js";

/** Mends items and their generations. */
export async function repairTerms(repair: RepairContext, plan: RepairPlan): Promise<void> {
  const { catalog, loader } = repair;
  for (const [name, found] of plan.vocabularies) {
    const vocabulary = catalog.vocabularies.get(name);
    if (vocabulary !== undefined) await repairVocabulary(repair, vocabulary, found);
  }
  await repairEach(repair, "changes", plan.termChanges, (change, now) => noteLast(loader.db, change, now));
  await repairLeftovers(repair, [...plan.generations, ...plan.imports]);
}

async function repairVocabulary(
  repair: RepairContext,
  vocabulary: Vocabulary,
  found: VocabularyRepairs,
): Promise<void> {
  const { db } = repair.loader;
  const inCurrent = (repair: (generation: Generation) => boolean): boolean => {
    const generation = currentGeneration(db, vocabulary.name);
    return generation !== undefined && repair(generation);
  };
  await repairEach(repair, "items", found.repeats, (id) =>
    inCurrent((generation) => generation.sql("DELETE FROM term_$g WHERE id = ?").run(id).changes > 0),
  );
  await repairEach(repair, "items", found.rows, (id) =>
    inCurrent((generation) => repairRow(generation, vocabulary, id)),
  );
  await repairEach(repair, "items", found.lives, (id) =>
    inCurrent((generation) => {
      if (findInTable(generation, id) === undefined) return false;
      return db.sql("DELETE FROM life WHERE vocabulary = ? AND ext = ?").run(vocabulary.name, id).changes > 0;
    }),
  );
  if (found.remake && found.unreadable === 0) await remake(repair, vocabulary);
}

/** Where the table of ids may be what is broken. */
const findInTable = (generation: Generation, id: string): unknown =>
  findRow(generation, id) ?? generation.sql("SELECT 1 FROM term_$g WHERE ext = ?").get(id);

function repairRow(generation: Generation, vocabulary: Vocabulary, id: number): boolean {
  const row = generation.sql<StoredRow>("SELECT * FROM term_$g WHERE id = ?").get(id);
  if (row === undefined) return false;
  const expected = expectedRow(row, contentOf(row), vocabulary);
  const set = ITEM_COLUMNS.map((column) => `${column} = ?`).join(", ");
  generation.sql(`UPDATE term_$g SET ${set} WHERE id = ?`).run(...ITEM_COLUMNS.map((column) => expected[column]), id);
  return true;
}

/** An import that runs makes the generation anew as well. */
async function remake({ writer, count }: RepairContext, vocabulary: Vocabulary): Promise<void> {
  try {
    await remakeGeneration(writer, vocabulary, () => false);
    count("generations", 1);
  } catch (error) {
    if (!(error instanceof BinderyError)) throw error;
  }
}

function noteLast(db: Db, { vocabulary, id }: MissingTermChange, now: number): boolean {
  const generation = currentGeneration(db, vocabulary);
  const item = generation && findRow(generation, id);
  const life = db.sql<number>("SELECT revision FROM life WHERE vocabulary = ? AND ext = ?").pluck();
  const revision = item?.revision ?? life.get(vocabulary, id);
  if (revision === undefined) return false;
  const action = item === undefined ? "removed" : "updated";
  noteChange(db, now, { kind: "term", action, place: vocabulary, id, revision });
  return true;
}

const LEFTOVER = `INSERT INTO generation(g, vocabulary, state, ranked, active, next, count, writes, nested, signature,
  owner, touched) VALUES(?, '', 'dropping', 0, 0, 1, 0, 0, 0, '', '', 0) ON CONFLICT DO NOTHING`;

/** What belongs to no generation is noted as one that is to be dropped, and dropped in steps as any other. */
async function repairLeftovers(repair: RepairContext, numbers: readonly number[]): Promise<void> {
  const { db } = repair.loader;
  await repairEach(repair, "leftovers", numbers, (g) => db.sql(LEFTOVER).run(g).changes > 0);
  if (numbers.length > 0) await dropGenerations(repair.loader);
}
