import { TEXT_TABLES } from "../../connection/vocabulary-tables.js";
import type { BulkLoader } from "./bulk-loader.js";
import { heartbeat } from "./claim.js";

/**
 * What is made in `scratch` and `texts` comes into the file of the store in the order of its keys: each table grows at
 * its end, and each page is written once.
 */

/** Rows copied by one statement: a millisecond or two. */
const COPY_ROWS = 2_000;

/** Blocks of a full-text table, of 4 kB, that one statement copies. */
const COPY_BLOCKS = 200;

interface Copy {
  /** A table of another database of the connection. */
  readonly from: string;
  /** A table of the store, with the same columns, and no rows above those that were copied. */
  readonly to: string;
  readonly columns: string;
  /** The column by which rows are numbered in both. */
  readonly key: string;
  readonly rows?: number;
}

/** Copies all rows of a table, in short transactions. */
async function copyRows(
  loader: BulkLoader,
  g: number,
  { from, to, columns, key, rows = COPY_ROWS }: Copy,
): Promise<void> {
  const { db, steps } = loader;
  const some = `SELECT ${key} AS key FROM ${from} WHERE ${key} > ? ORDER BY ${key} LIMIT ${rows}`;
  const last = db.raw.prepare<[number], number | null>(`SELECT max(key) FROM (${some})`).pluck();
  const copy = `INSERT INTO main.${to}(${columns}) SELECT ${columns} FROM ${from}
    WHERE ${key} > ? AND ${key} <= ? ORDER BY ${key}`;
  let done = 0;
  await steps((isLate) => {
    heartbeat(db, g);
    const statement = db.raw.prepare(copy);
    for (let next = last.get(done); next !== null && next !== undefined; next = last.get(done)) {
      statement.run(done, next);
      done = next;
      if (isLate()) return "more";
    }
    return "done";
  });
}

/** Copies the rows of a query in their order. */
export async function copySorted(loader: BulkLoader, g: number, to: string, select: string): Promise<void> {
  const { raw } = loader.db;
  raw.exec(`CREATE TABLE scratch.sorted AS ${select}`);
  const names = raw.prepare<[], string>("SELECT name FROM pragma_table_info('sorted', 'scratch')").pluck().all();
  await copyRows(loader, g, { from: "scratch.sorted", to, columns: names.join(", "), key: "rowid" });
  raw.exec("DROP TABLE scratch.sorted");
}

/**
 * Copies the full-text tables as the shell of SQLite does (`.dump`): whole, block by block, in the tables in which FTS5
 * keeps them. The only place that writes these, so they are protected from anything else. This connection has its own
 * idea of what is in them by then: it does not read them.
 * @see https://sqlite.org/fts5.html#fts5_data_structures
 */
export async function copyText(loader: BulkLoader, g: number): Promise<void> {
  const { raw } = loader.db;
  raw.unsafeMode(true);
  try {
    for (const table of TEXT_TABLES) {
      const name = `${table}_${g}`;
      await loader.steps(() => {
        // The structure of a table without rows.
        raw.exec(`DELETE FROM main.${name}_data`);
        return "done";
      });
      const copy = { columns: "id, block", key: "id", rows: COPY_BLOCKS };
      await copyRows(loader, g, { from: `texts.${name}_data`, to: `${name}_data`, ...copy });
      await copySorted(loader, g, `${name}_idx`, `SELECT segid, term, pgno FROM texts.${name}_idx ORDER BY 1, 2`);
      const sizes = { columns: "id, sz, origin", key: "id" };
      await copyRows(loader, g, { from: `texts.${name}_docsize`, to: `${name}_docsize`, ...sizes });
    }
  } finally {
    raw.unsafeMode(false);
  }
}
