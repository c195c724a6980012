import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { storedTermRow } from "../../../core/terms/term-row.js";
import { STORE_ROW_KINDS, type StoreRowKind, type StoreRows, type StoreValue } from "../../../ports/store-admin.js";
import { publishFile } from "../../files/disk-files.js";
import {
  dumpedBody,
  insertPlain,
  isPlain,
  type OtherNames,
  type PlainKind,
  refuseStoreRow,
  selectPlain,
} from "../../transfer/store-rows.js";
import { lastChange } from "../connection/change-table.js";
import { makeDataFolder } from "../connection/data-folder.js";
import { createDatabase, type Db, databaseFile, openDatabase } from "../connection/database.js";
import { mapError } from "../connection/map-error.js";
import { DRAFT_SUMS } from "../connection/migrations.js";
import { lockDataFolder } from "../connection/running-server.js";
import { beginRun, endRun, LOAD_FOLDER } from "../connection/unfinished-run.js";
import { generationTables } from "../connection/vocabulary-tables.js";
import { makeWriter, type Writer } from "../connection/write-connection.js";
import { registerPaths } from "../documents/dictionaries.js";
import { type RecordWriting, recordWriting, reindexRecord } from "../records/record-index.js";
import { insertBody } from "../records/record-writer.js";
import { openBulkLoader } from "../vocabulary/load/bulk-loader.js";
import { dropGenerations } from "../vocabulary/load/drop-generations.js";
import { remakeGeneration } from "../vocabulary/load/load-terms.js";
import { addGeneration, type Generation, generationByNumber, heartbeatTime } from "../vocabulary/store/generation.js";
import { insertRow } from "../vocabulary/store/term-rows.js";
import { noteNewModels } from "./background-reindex.js";

/** Rows per batch. Other work runs between two batches. */
const ROWS_AT_ONCE = 500;

/** SQL for counters, which are named like their tables, except for records. */
const COUNTERS = `SELECT replace(name, 'rec', 'record') AS name, seq FROM sqlite_sequence
  WHERE name IN ('audit', 'delivery', 'rec', 'token', 'user', 'webhook') AND seq > 0 ORDER BY 1`;
const RECORDS = "SELECT rec.id, doc.json FROM rec JOIN doc ON doc.id = rec.id ORDER BY rec.id";
const TAKEN = "SELECT id, revision FROM taken ORDER BY id";
const TERMS = `SELECT @vocabulary, ext, parent, title, rest, created, revision, sources FROM term_$g ORDER BY ext`;
const REDIRECTS = "SELECT @vocabulary, ext, successor FROM redirect WHERE g = $g ORDER BY ext";

/** Yields all rows of one snapshot of the store. Until the end the log of the database cannot be emptied. */
export async function* dumpDatabase(folder: string): AsyncGenerator<StoreRows> {
  const db = openDatabase(folder, "reader");
  try {
    // The first read determines the snapshot.
    db.raw.exec("BEGIN");
    for (const kind of STORE_ROW_KINDS) yield* rowsOfKind(db, kind);
  } catch (error) {
    throw mapError(error);
  } finally {
    db.close();
  }
}

/** Column names that differ from those of a dump: the number of a load is that of the generation that it made. */
const TABLE_NAMES: OtherNames = { "term_load.id": "g" };

function* rowsOfKind(db: Db, kind: StoreRowKind): Generator<StoreRows> {
  if (isPlain(kind)) yield* queryBatches(db, kind, selectPlain(kind, TABLE_NAMES));
  else if (kind === "counter") yield* queryBatches(db, kind, COUNTERS);
  else if (kind === "record") yield* queryBatches(db, kind, RECORDS);
  else if (kind === "taken") yield* queryBatches(db, kind, TAKEN);
  else yield* termRows(db, kind);
}

/** Yields the rows of the current generation of each vocabulary. */
function* termRows(db: Db, kind: "term" | "redirect"): Generator<StoreRows> {
  const sql = "SELECT vocabulary, g FROM generation WHERE state = 'current' ORDER BY vocabulary";
  for (const { vocabulary, g } of db.sql<{ vocabulary: string; g: number }>(sql).all()) {
    const text = (kind === "term" ? TERMS : REDIRECTS).replaceAll("$g", String(g));
    yield* queryBatches(db, kind, text, { vocabulary });
  }
}

function* queryBatches(db: Db, kind: StoreRowKind, text: string, values: object = {}): Generator<StoreRows> {
  let rows: StoreValue[][] = [];
  const read = db.raw.prepare<object, StoreValue[]>(text).raw();
  for (const row of read.iterate(values)) {
    rows.push(row);
    if (rows.length < ROWS_AT_ONCE) continue;
    yield { kind, rows };
    rows = [];
  }
  if (rows.length > 0) yield { kind, rows };
}

/**
 * Makes the store of a data folder that has none from the rows of another store. Derived data (indexes, counts,
 * columns) is rebuilt like in a repair. The store gets its final name when it is complete: a failure or kill leaves no
 * store, and a note that prevents services from making an empty one.
 * @param rows throws at its end if the rows are incomplete or damaged
 * @throws Error with a clear message if the folder has a store, or the catalog lacks a model or vocabulary of the rows
 */
export async function loadDatabase(folder: string, catalog: Catalog, rows: AsyncIterable<StoreRows>): Promise<void> {
  makeDataFolder(folder);
  const lock = lockDataFolder(folder);
  let place: string | undefined;
  try {
    const file = databaseFile(folder);
    const existsError = new Error(`${file} exists: \`bindery load\` makes a new store and changes none.`);
    if (existsSync(file)) throw existsError;
    beginRun(folder, "`bindery load`");
    // In the same folder, so that it is on the same disk.
    place = mkdtempSync(join(folder, LOAD_FOLDER));
    createDatabase(place);
    await fill(place, catalog, rows);
    if (!publishFile(databaseFile(place), file)) throw existsError;
    endRun(folder);
  } catch (error) {
    throw mapError(error, basename(folder));
  } finally {
    if (place !== undefined) rmSync(place, { recursive: true, force: true });
    lock.release();
  }
}

async function fill(place: string, catalog: Catalog, rows: AsyncIterable<StoreRows>): Promise<void> {
  const db = openDatabase(place, "writer");
  const writer = makeWriter(db, { nowMicros: heartbeatTime });
  try {
    registerPaths(db, catalog);
    noteNewModels(db, catalog);
    // Nobody else reads the store, and an interrupted load starts again.
    db.raw.pragma("synchronous = OFF");
    await writeRows(writer, catalog, rows);
    await writer.run(() => removeReindexChanges(db));
    db.raw.pragma("synchronous = FULL");
    db.raw.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    await writer.idle();
    db.close();
  }
}

async function writeRows(writer: Writer, catalog: Catalog, rows: AsyncIterable<StoreRows>): Promise<void> {
  const { db } = writer;
  const termTables = makeTermTables(db, catalog);
  const writing = recordWriting(db, catalog);
  const counters: (readonly StoreValue[])[] = [];
  let areTermsFinished = false;
  for await (const { kind, rows: batch } of rows) {
    // Records are indexed with the names of their cited terms.
    if (kind === "record" && !areTermsFinished) {
      await termTables.finish(writer);
      areTermsFinished = true;
    }
    await writer.run((now) => {
      for (const row of batch) {
        if (isPlain(kind)) insertPlainRow(db, kind, row);
        else if (kind === "term") termTables.insert(row);
        else if (kind === "redirect") termTables.redirect(row);
        else if (kind === "record") insertRecord(writing, catalog, row, now);
        else if (kind === "taken") db.sql("INSERT INTO taken(id, revision) VALUES(?, ?)").run(...row);
        else counters.push(row);
      }
    });
  }
  if (!areTermsFinished) await termTables.finish(writer);
  await writer.run(() => {
    for (const [name, last] of counters) setCounter(db, name === "record" ? "rec" : String(name), Number(last));
  });
}

function setCounter(db: Db, table: string, last: number): void {
  db.sql("DELETE FROM sqlite_sequence WHERE name = ?").run(table);
  db.sql("INSERT INTO sqlite_sequence(name, seq) VALUES(?, ?)").run(table, last);
}

function insertPlainRow(db: Db, kind: PlainKind, row: readonly StoreValue[]): void {
  db.sql(`${insertPlain(kind, TABLE_NAMES)} VALUES(${row.map(() => "?").join(", ")})`).run(...row);
}

function insertRecord(writing: RecordWriting, catalog: Catalog, row: readonly StoreValue[], now: number): void {
  const [id, json] = row as readonly [number, string];
  const { model, revision_id } = dumpedBody(json);
  if (!catalog.models.has(model)) throw refuseStoreRow("model", model);
  insertBody(writing.db, id, json, revision_id);
  reindexRecord(writing, id, now);
}

/** Writes the rows of terms; everything that searches need besides them is built at the end. */
function makeTermTables(db: Db, catalog: Catalog) {
  const generations = new Map<
    string,
    { readonly vocabulary: Vocabulary; readonly generation: Generation; rows: number }
  >();
  const openGeneration = (name: string) => {
    const existing = generations.get(name);
    if (existing !== undefined) return existing;
    const vocabulary = catalog.vocabularies.get(name);
    if (vocabulary === undefined) throw refuseStoreRow("vocabulary", name);
    if (generations.size === 0) continueNumbers(db);
    const g = addGeneration(db, vocabulary, "current");
    db.raw.exec(generationTables(g));
    const made = { vocabulary, generation: generationByNumber(db, g)!, rows: 0 };
    generations.set(name, made);
    return made;
  };
  return {
    insert: (row: readonly StoreValue[]): void => {
      const [name, ext, parent, title, rest, created, revision, sources] = row as readonly [
        ...[string, string, string | null, string, string, number, number, number],
      ];
      const made = openGeneration(name);
      made.rows += 1;
      const term = storedTermRow({ ext, parent, title, rest, created, revision }, made.vocabulary);
      insertRow(made.generation, { ...term, id: made.rows, lo: null, hi: null, sources });
    },
    redirect: ([name, ext, successor]: readonly StoreValue[]): void => {
      const { g } = openGeneration(String(name)).generation;
      db.sql("INSERT INTO redirect(g, ext, successor) VALUES(?, ?, ?)").run(g, ext, successor);
    },
    async finish(writer: Writer): Promise<void> {
      for (const { vocabulary, generation, rows } of generations.values()) {
        await writer.run(() => {
          generation.sql("UPDATE generation SET next = ?, count = ? WHERE g = $g").run(rows + 1, rows);
        });
        await remakeGeneration(writer, vocabulary, () => false);
      }
      const loader = openBulkLoader(writer);
      try {
        await dropGenerations(loader);
      } finally {
        loader.close();
      }
    },
  };
}

/** Continues the numbers of generations after those of loads and imports of the other store. */
function continueNumbers(db: Db): void {
  const sql = "SELECT coalesce(max(n), 0) FROM (SELECT g AS n FROM term_load UNION ALL SELECT import FROM change_term)";
  const lastNumber = db.sql<number>(sql).pluck().get()!;
  setCounter(db, "generation", lastNumber);
}

/** SQL that sets the row of each change of a record. */
const SET_CHANGE_ROWS = `UPDATE change SET rec = rec.id FROM rec
  WHERE change.kind = 'record' AND rec.pid = change.id AND rec.state = iif(change.state = 'draft', 0, 1)`;

/** Removes the changes of indexing: the content is that of the other store, and the feed ends as it did there. */
function removeReindexChanges(db: Db): void {
  db.sql(
    `DELETE FROM change WHERE action = 'reindexed'
      AND seq > (SELECT coalesce(max(seq), 0) FROM change WHERE action <> 'reindexed')`,
  ).run();
  db.sql("UPDATE sqlite_sequence SET seq = (SELECT coalesce(max(seq), 0) FROM change) WHERE name = 'change'").run();
  db.sql("UPDATE use SET seq = min(seq, ?)").run(lastChange(db));
  db.sql(SET_CHANGE_ROWS).run();
  db.sql(`INSERT INTO draft_usage ${DRAFT_SUMS}`).run();
}
