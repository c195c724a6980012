import { setImmediate as turn } from "node:timers/promises";
import { TEXT_TABLES } from "../../connection/vocabulary-tables.js";
import type { BulkLoader } from "./bulk-loader.js";
import { heartbeat } from "./claim.js";

/**
 * What is made in `scratch` comes into the file of the store in the order of its keys: each table grows at its end, and
 * each page is written once.
 */

/** Rows copied by one statement: a millisecond or two. */
const COPY_ROWS = 2_000;

/** Blocks of a full-text table, of 4 kB, that one statement copies. */
const COPY_BLOCKS = 200;

/** Pages of a full-text table, of 4 kB, that one statement merges: some ten milliseconds. */
const MERGE_PAGES = 500;

/** While tables are filled nothing is merged: merging all segments once is cheaper. */
const FILL_SETTINGS = { automerge: 0, crisismerge: 1_500 } as const;

interface Copy {
  /** A table of `scratch`. */
  readonly from: string;
  /** A table of the store, with the same columns, and no rows above those that were copied. */
  readonly to: string;
  readonly columns: string;
  /** The column by which rows are numbered in both. */
  readonly key: string;
  readonly rows?: number;
}

/** Copies all rows of a table, in short transactions. */
export async function copyRows(
  loader: BulkLoader,
  g: number,
  { from, to, columns, key, rows = COPY_ROWS }: Copy,
): Promise<void> {
  const { db, steps } = loader;
  const some = `SELECT ${key} AS key FROM scratch.${from} WHERE ${key} > ? ORDER BY ${key} LIMIT ${rows}`;
  const last = db.raw.prepare<[number], number | null>(`SELECT max(key) FROM (${some})`).pluck();
  const copy = `INSERT INTO main.${to}(${columns}) SELECT ${columns} FROM scratch.${from}
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
  await copyRows(loader, g, { from: "sorted", to, columns: names.join(", "), key: "rowid" });
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
      await copyRows(loader, g, { from: `${name}_data`, to: `${name}_data`, ...copy });
      await copySorted(loader, g, `${name}_idx`, `SELECT segid, term, pgno FROM scratch.${name}_idx ORDER BY 1, 2`);
      const sizes = { columns: "id, sz, origin", key: "id" };
      await copyRows(loader, g, { from: `${name}_docsize`, to: `${name}_docsize`, ...sizes });
    }
  } finally {
    raw.unsafeMode(false);
  }
}

/** Sets up the full-text tables of `scratch`. */
export function setText({ db }: BulkLoader, g: number): void {
  for (const table of TEXT_TABLES) {
    for (const [name, value] of Object.entries(FILL_SETTINGS)) {
      db.raw.exec(`INSERT INTO scratch.${table}_${g}(${table}_${g}, rank) VALUES('${name}', ${value})`);
    }
  }
}

/** Many small segments become few: each costs every look-up of a word. @param breathe called between two merges */
export async function mergeText({ db, scratch }: BulkLoader, g: number, breathe: () => Promise<void>): Promise<void> {
  const changes = db.sql<number>("SELECT total_changes()").pluck();
  for (const table of TEXT_TABLES) {
    const name = `${table}_${g}`;
    const merge = db.raw.prepare(`INSERT INTO scratch.${name}(${name}, rank) VALUES('merge', ${MERGE_PAGES})`);
    const mergeSome = (): number => {
      const before = changes.get() ?? 0;
      merge.run();
      return (changes.get() ?? 0) - before;
    };
    // One change is the statement itself: nothing was left to merge.
    while (scratch(mergeSome) > 1) {
      await turn();
      await breathe();
    }
  }
}
