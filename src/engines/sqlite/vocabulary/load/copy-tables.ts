import { TEXT_TABLES } from "../../connection/vocabulary-tables.js";
import { makeTextBuilder } from "../store/build-texts.js";
import { type BulkLoader, removeTextFile, textFile } from "./bulk-loader.js";
import { heartbeat } from "./claim.js";

/**
 * Tables that were built in `scratch` and `texts` are copied into the store file in key order: each table grows at its
 * end, and each page is written once.
 */

/** Rows copied by one statement, which takes a millisecond or two. */
const COPY_ROWS = 2_000;

/** Blocks of 4 kB of a full-text table copied by one statement. */
const COPY_BLOCKS = 200;

interface Copy {
  /** Name of a table in another attached database. */
  readonly from: string;
  /** Name of a table of the store with the same columns, and without rows after the copied ones. */
  readonly to: string;
  readonly columns: string;
  /** Column that numbers the rows in both tables. */
  readonly key: string;
  readonly rows?: number;
}

/** Copies all rows of a table in short transactions. */
async function copyRows(
  loader: BulkLoader,
  g: number,
  { from, to, columns, key, rows = COPY_ROWS }: Copy,
): Promise<void> {
  const { db, steps } = loader;
  const batch = `SELECT ${key} AS key FROM ${from} WHERE ${key} > ? ORDER BY ${key} LIMIT ${rows}`;
  const lastKey = db.raw.prepare<[number], number | null>(`SELECT max(key) FROM (${batch})`).pluck();
  const copy = `INSERT INTO main.${to}(${columns}) SELECT ${columns} FROM ${from}
    WHERE ${key} > ? AND ${key} <= ? ORDER BY ${key}`;
  let copiedTo = 0;
  await steps((isLate) => {
    heartbeat(db, g);
    const statement = db.raw.prepare(copy);
    for (let next = lastKey.get(copiedTo); next !== null && next !== undefined; next = lastKey.get(copiedTo)) {
      statement.run(copiedTo, next);
      copiedTo = next;
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
 * Copies the full-text tables block by block, in the tables in which FTS5 keeps them, like `.dump` of the SQLite shell.
 * No other code writes these, so they are protected otherwise. This connection's cached view of them becomes wrong, so
 * it does not read them.
 * @see https://sqlite.org/fts5.html#fts5_data_structures
 */
export async function copyText(loader: BulkLoader, g: number): Promise<void> {
  const { raw } = loader.db;
  raw.unsafeMode(true);
  try {
    for (const table of TEXT_TABLES) {
      const name = `${table}_${g}`;
      await loader.steps(() => {
        // Deletes the structure of the empty table.
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

/** The full-text tables of a generation that is being built. */
interface LoadTexts {
  /** Adds texts. @param texts see `TextBuilder` */
  add(first: number, texts: readonly string[]): Promise<void>;
  /** Completes the tables and attaches them to the loader's connection as `texts`. */
  finish(): Promise<void>;
}

/** Number of terms from which starting another thread saves time. */
const THREAD_ITEMS_MIN = 50_000;

/**
 * Builds the full-text tables of generation `g` while `work` runs, and removes their file at the end.
 * @param items number of terms
 */
export async function withTexts<T>(
  loader: BulkLoader,
  g: number,
  items: number,
  work: (texts: LoadTexts) => Promise<T>,
): Promise<T> {
  const { db } = loader;
  const builder = (items < THREAD_ITEMS_MIN ? undefined : loader.builder) ?? makeTextBuilder();
  const file = textFile(loader, g);
  const build = await builder.beginTexts(file, g);
  let lastCall: Promise<void> = Promise.resolve();
  try {
    return await work({
      async add(first, texts) {
        // Stays one call ahead: the load goes on while the builder indexes.
        await lastCall;
        lastCall = builder.addTexts(build, first, texts);
        // The next call throws its error.
        lastCall.catch(() => undefined);
      },
      async finish() {
        await lastCall;
        await builder.finishTexts(build);
        db.raw.prepare("ATTACH ? AS texts").run(file);
      },
    });
  } finally {
    await builder.endTexts(build);
    removeTextFile(loader, g);
  }
}
