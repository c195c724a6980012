import type { Db } from "../../connection/database.js";
import { dropRest, dropText, STEPPED_TABLES, TEXT_TABLES } from "../../connection/vocabulary-tables.js";
import { isAbandoned } from "../store/make-generation.js";
import type { BulkLoader } from "./bulk-loader.js";
import { removeTextFile } from "./load-texts.js";

/** Rows that one statement deletes. */
const DELETE_ROWS = 2_000;

/** Rows with sets, of some hundred kilobytes each, that one statement deletes. */
const DELETE_SETS = 10;

/** Removes the tables of all generations that are no longer current or whose builder died. */
export async function dropGenerations(loader: BulkLoader): Promise<void> {
  const { db } = loader;
  const all = db
    .sql<{ g: number; state: string; owner: string; touched: number }>(
      "SELECT g, state, owner, touched FROM generation WHERE state <> 'current'",
    )
    .all();
  for (const { g, state, owner, touched } of all) {
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
 * `DROP TABLE` on a large table takes long in one go; on an empty one it does not. Full-text tables are dropped whole,
 * 0.1 s per million items, because what is inside them is FTS5's own: decision 0017.
 */
async function dropGeneration(loader: BulkLoader, g: number): Promise<void> {
  const { raw } = loader.db;
  const isThere = raw.prepare<[string], number>("SELECT count(*) FROM sqlite_schema WHERE name = ?").pluck();
  for (const table of STEPPED_TABLES) {
    const sql = stepOf(table, g);
    await loader.steps((isLate) => {
      if (isThere.get(`${table}_${g}`) === 0) return "done";
      while (raw.prepare(sql).run().changes > 0) if (isLate()) return "more";
      return "done";
    });
  }
  await dropEntries(loader, g);
  await loader.steps((isLate) => {
    const some = `SELECT ext FROM redirect WHERE g = ${g} LIMIT ${DELETE_ROWS}`;
    const erase = raw.prepare(`DELETE FROM redirect WHERE g = ${g} AND ext IN (${some})`);
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

/** The entries of an import that never became current, and what it noted of items that it would have changed. */
async function dropEntries({ db, steps }: BulkLoader, g: number): Promise<void> {
  if (!hasEntries(db, g) || wasImported(db, g)) return;
  const noted = `SELECT id FROM term_history WHERE load = ? LIMIT ${DELETE_ROWS}`;
  await steps((isLate) => {
    const erase = db.sql(`DELETE FROM term_history WHERE id IN (${noted})`);
    while (erase.run(g).changes > 0) if (isLate()) return "more";
    return "done";
  });
  const some = `SELECT n FROM change_term WHERE import = ? LIMIT ${DELETE_ROWS}`;
  await steps((isLate) => {
    const erase = db.sql(`DELETE FROM change_term WHERE import = ? AND n IN (${some})`);
    while (erase.run(g, g).changes > 0) if (isLate()) return "more";
    return "done";
  });
}

/** One that was only made again has none. */
const hasEntries = (db: Db, g: number): boolean =>
  db.sql("SELECT 1 FROM change_term WHERE import = ? LIMIT 1").get(g) !== undefined ||
  db.sql("SELECT 1 FROM term_history WHERE load = ? LIMIT 1").get(g) !== undefined;

/** Did it become current? All changes are read: entries of a change that was lost go too, though its load is noted. */
const wasImported = (db: Db, g: number): boolean =>
  db.sql("SELECT 1 FROM change WHERE kind = 'term' AND action = 'imported' AND id = ?").get(String(g)) !== undefined;

function stepOf(table: (typeof STEPPED_TABLES)[number], g: number): string {
  const name = `${table}_${g}`;
  if (table === "term") return `DELETE FROM ${name} WHERE id IN (SELECT id FROM ${name} LIMIT ${DELETE_ROWS})`;
  if (table === "hot" || table === "column") {
    return `DELETE FROM ${name} WHERE rowid IN (SELECT rowid FROM ${name} LIMIT ${DELETE_SETS})`;
  }
  const keys = { ext: "ext, id", created: "created, ext, id", title: "lang, key, id", name: "key, kind, id" };
  const key = table === "val" ? "path, value, id" : table === "child" ? "parent, id" : keys[table];
  return `DELETE FROM ${name} WHERE (${key}) IN (SELECT ${key} FROM ${name} LIMIT ${DELETE_ROWS})`;
}
