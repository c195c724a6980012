import type { Db } from "../../connection/database.js";
import { dropRest, dropText, STEPPED_TABLES, TEXT_TABLES } from "../../connection/vocabulary-tables.js";
import { isAbandoned } from "../store/generation.js";
import { type BulkLoader, removeTextFile } from "./bulk-loader.js";

/** Rows deleted by one statement. */
const DELETE_ROWS = 2_000;

/** Rows with posting lists, of some hundred kilobytes each, deleted by one statement. */
const DELETE_POSTINGS = 10;

/** Removes the tables of all generations that are no longer current or whose builder was killed. */
export async function dropGenerations(loader: BulkLoader): Promise<void> {
  const { db } = loader;
  const generations = db
    .sql<{ g: number; state: string; owner: string; touched: number }>(
      "SELECT g, state, owner, touched FROM generation WHERE state <> 'current'",
    )
    .all();
  for (const { g, state, owner, touched } of generations) {
    if (state === "building") {
      if (!isAbandoned(owner, touched)) continue;
      await loader.steps(() => {
        db.sql("UPDATE generation SET state = 'dropping' WHERE g = ? AND state = 'building'").run(g);
        return "done";
      });
    }
    await dropGeneration(loader, g);
  }
}

/**
 * Drops one generation. `DROP TABLE` blocks for long on a large table but not on an empty one. Full-text tables are
 * dropped as a whole, 0.1 s per million terms, because their content is internal to FTS5: decision 0017.
 */
async function dropGeneration(loader: BulkLoader, g: number): Promise<void> {
  const { raw } = loader.db;
  const tableCount = raw.prepare<[string], number>("SELECT count(*) FROM sqlite_schema WHERE name = ?").pluck();
  for (const table of STEPPED_TABLES) {
    const sql = deleteStep(table, g);
    await loader.steps((isLate) => {
      if (tableCount.get(`${table}_${g}`) === 0) return "done";
      while (raw.prepare(sql).run().changes > 0) if (isLate()) return "more";
      return "done";
    });
  }
  await dropEntries(loader, g);
  await loader.steps((isLate) => {
    const batch = `SELECT ext FROM redirect WHERE g = ${g} LIMIT ${DELETE_ROWS}`;
    const erase = raw.prepare(`DELETE FROM redirect WHERE g = ${g} AND ext IN (${batch})`);
    while (erase.run().changes > 0) if (isLate()) return "more";
    return "done";
  });
  removeTextFile(loader, g);
  for (const table of TEXT_TABLES) {
    await loader.steps(() => {
      raw.exec(dropText(table, g));
      return "done";
    });
  }
  await loader.steps(() => {
    raw.exec(dropRest(g));
    loader.db.sql("DELETE FROM generation WHERE g = ? AND state = 'dropping'").run(g);
    return "done";
  });
}

/** Deletes the change and history entries of an import that did not become current. */
async function dropEntries({ db, steps }: BulkLoader, g: number): Promise<void> {
  if (!hasEntries(db, g) || wasImported(db, g)) return;
  const historyBatch = `SELECT id FROM term_history WHERE load = ? LIMIT ${DELETE_ROWS}`;
  await steps((isLate) => {
    const erase = db.sql(`DELETE FROM term_history WHERE id IN (${historyBatch})`);
    while (erase.run(g).changes > 0) if (isLate()) return "more";
    return "done";
  });
  const entryBatch = `SELECT n FROM change_term WHERE import = ? LIMIT ${DELETE_ROWS}`;
  await steps((isLate) => {
    const erase = db.sql(`DELETE FROM change_term WHERE import = ? AND n IN (${entryBatch})`);
    while (erase.run(g, g).changes > 0) if (isLate()) return "more";
    return "done";
  });
}

/** Returns whether there are entries. A remade generation has none. */
const hasEntries = (db: Db, g: number): boolean =>
  db.sql("SELECT 1 FROM change_term WHERE import = ? LIMIT 1").get(g) !== undefined ||
  db.sql("SELECT 1 FROM term_history WHERE load = ? LIMIT 1").get(g) !== undefined;

/**
 * Returns whether the import became current. All changes are read, because entries of a lost change are deleted too
 * although its load is recorded.
 */
const wasImported = (db: Db, g: number): boolean =>
  db.sql("SELECT 1 FROM change WHERE kind = 'term' AND action = 'imported' AND id = ?").get(String(g)) !== undefined;

function deleteStep(table: (typeof STEPPED_TABLES)[number], g: number): string {
  const name = `${table}_${g}`;
  if (table === "term") return `DELETE FROM ${name} WHERE id IN (SELECT id FROM ${name} LIMIT ${DELETE_ROWS})`;
  if (table === "hot" || table === "column" || table === "postings") {
    return `DELETE FROM ${name} WHERE rowid IN (SELECT rowid FROM ${name} LIMIT ${DELETE_POSTINGS})`;
  }
  const keys = { ext: "ext, id", created: "created, ext, id", title: "lang, key, id", name: "key, kind, id" };
  const key = table === "val" ? "path, value, id" : table === "child" ? "parent, id" : keys[table];
  return `DELETE FROM ${name} WHERE (${key}) IN (SELECT ${key} FROM ${name} LIMIT ${DELETE_ROWS})`;
}
