import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { storedTermRow } from "../../../core/terms/term-row.js";
import type { StoreRows, StoreValue } from "../../../ports/store-rows.js";
import { publishFile } from "../../files/publish-file.js";
import { insertPlain, isPlain, type PlainKind } from "../../transfer/plain-rows.js";
import { dumpedBody, refuseStoreRow } from "../../transfer/refuse-store-row.js";
import { lastChange } from "../connection/change-table.js";
import { createDatabase } from "../connection/create-database.js";
import { type Db, databaseFile, openDatabase } from "../connection/database.js";
import { makeDataFolder } from "../connection/folder-access.js";
import { lockDataFolder } from "../connection/folder-lock.js";
import { mapError } from "../connection/map-error.js";
import { DRAFT_SUMS } from "../connection/record-tables.js";
import { beginRun, endRun, LOAD_FOLDER } from "../connection/unfinished-run.js";
import { generationTables } from "../connection/vocabulary-tables.js";
import { makeWriter, type Writer } from "../connection/write-connection.js";
import { registerPaths } from "../documents/path-dictionary.js";
import { insertBody } from "../records/record-bodies.js";
import { type RecordWriting, recordWriting } from "../records/record-index.js";
import { reindexRecord } from "../records/reindex-record.js";
import { openBulkLoader } from "../vocabulary/load/bulk-loader.js";
import { dropGenerations } from "../vocabulary/load/drop-generations.js";
import { remakeGeneration } from "../vocabulary/load/load-terms.js";
import { type Generation, generationByNumber } from "../vocabulary/store/generation.js";
import { addGeneration, heartbeatTime } from "../vocabulary/store/make-generation.js";
import { insertRow } from "../vocabulary/store/put-row.js";
import { noteNewModels } from "./background-reindex.js";
import { TABLE_NAMES } from "./transfer-names.js";

/**
 * Makes the store of a data folder that has none of the rows of another store. Everything else (indexes, counts,
 * columns) is made of them, as a repair does. It gets its name when all is there: what fails or is killed leaves no
 * store, and a note that keeps services from making an empty one.
 * @param rows throws at its end where they are not what was written
 * @throws Error with a clear word where the folder has a store, or the catalog lacks what the rows are of
 */
export async function loadDatabase(folder: string, catalog: Catalog, rows: AsyncIterable<StoreRows>): Promise<void> {
  makeDataFolder(folder);
  const lock = lockDataFolder(folder);
  let place: string | undefined;
  try {
    const file = databaseFile(folder);
    const there = new Error(`${file} exists: \`bindery load\` makes a new store and changes none.`);
    if (existsSync(file)) throw there;
    beginRun(folder, "`bindery load`");
    // Beside the place of the store, on the same disk.
    place = mkdtempSync(join(folder, LOAD_FOLDER));
    createDatabase(place);
    await fill(place, catalog, rows);
    if (!publishFile(databaseFile(place), file)) throw there;
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
    // Nobody else reads it, and what is interrupted is begun anew.
    db.raw.pragma("synchronous = OFF");
    await writeRows(writer, catalog, rows);
    await writer.run(() => forgetReindexing(db));
    db.raw.pragma("synchronous = FULL");
    db.raw.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    await writer.idle();
    db.close();
  }
}

async function writeRows(writer: Writer, catalog: Catalog, rows: AsyncIterable<StoreRows>): Promise<void> {
  const { db } = writer;
  const terms = makeTermTables(db, catalog);
  const writing = recordWriting(db, catalog);
  const counters: (readonly StoreValue[])[] = [];
  let areTermsWhole = false;
  for await (const { kind, rows: some } of rows) {
    // Records are found by the names of the terms that they cite.
    if (kind === "record" && !areTermsWhole) {
      await terms.finish(writer);
      areTermsWhole = true;
    }
    await writer.run((now) => {
      for (const row of some) {
        if (isPlain(kind)) insert(db, kind, row);
        else if (kind === "term") terms.insert(row);
        else if (kind === "redirect") terms.redirect(row);
        else if (kind === "record") insertRecord(writing, catalog, row, now);
        else if (kind === "taken") db.sql("INSERT INTO taken(id, revision) VALUES(?, ?)").run(...row);
        else counters.push(row);
      }
    });
  }
  if (!areTermsWhole) await terms.finish(writer);
  await writer.run(() => {
    for (const [name, last] of counters) setCounter(db, name === "record" ? "rec" : String(name), Number(last));
  });
}

function setCounter(db: Db, table: string, last: number): void {
  db.sql("DELETE FROM sqlite_sequence WHERE name = ?").run(table);
  db.sql("INSERT INTO sqlite_sequence(name, seq) VALUES(?, ?)").run(table, last);
}

function insert(db: Db, kind: PlainKind, row: readonly StoreValue[]): void {
  db.sql(`${insertPlain(kind, TABLE_NAMES)} VALUES(${row.map(() => "?").join(", ")})`).run(...row);
}

function insertRecord(writing: RecordWriting, catalog: Catalog, row: readonly StoreValue[], now: number): void {
  const [id, json] = row as readonly [number, string];
  const { model, revision_id } = dumpedBody(json);
  if (!catalog.models.has(model)) throw refuseStoreRow("model", model);
  insertBody(writing.db, id, json, revision_id);
  reindexRecord(writing, id, now);
}

/** Fills the rows of terms; all that searches need beside them is made at the end. */
function makeTermTables(db: Db, catalog: Catalog) {
  const generations = new Map<
    string,
    { readonly vocabulary: Vocabulary; readonly generation: Generation; rows: number }
  >();
  const generationOf = (name: string) => {
    const known = generations.get(name);
    if (known !== undefined) return known;
    const vocabulary = catalog.vocabularies.get(name);
    if (vocabulary === undefined) throw refuseStoreRow("vocabulary", name);
    if (generations.size === 0) passNumbers(db);
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
      const made = generationOf(name);
      made.rows += 1;
      const term = storedTermRow({ ext, parent, title, rest, created, revision }, made.vocabulary);
      insertRow(made.generation, { ...term, id: made.rows, lo: null, hi: null, sources });
    },
    redirect: ([name, ext, successor]: readonly StoreValue[]): void => {
      const { g } = generationOf(String(name)).generation;
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

/** Loads and imports of the other store have numbers of generations: new ones come after them. */
function passNumbers(db: Db): void {
  const sql = "SELECT coalesce(max(n), 0) FROM (SELECT g AS n FROM term_load UNION ALL SELECT import FROM change_term)";
  const last = db.sql<number>(sql).pluck().get()!;
  setCounter(db, "generation", last);
}

/** Which row each change of a record is of. */
const NOTE_ROWS = `UPDATE change SET rec = rec.id FROM rec
  WHERE change.kind = 'record' AND rec.pid = change.id AND rec.state = iif(change.state = 'draft', 0, 1)`;

/** What was indexed is as it was in the other store: nobody has to hear of it, and the feed ends as it did there. */
function forgetReindexing(db: Db): void {
  db.sql(
    `DELETE FROM change WHERE action = 'reindexed'
      AND seq > (SELECT coalesce(max(seq), 0) FROM change WHERE action <> 'reindexed')`,
  ).run();
  db.sql("UPDATE sqlite_sequence SET seq = (SELECT coalesce(max(seq), 0) FROM change) WHERE name = 'change'").run();
  db.sql("UPDATE use SET seq = min(seq, ?)").run(lastChange(db));
  db.sql(NOTE_ROWS).run();
  db.sql(`INSERT INTO draft_usage ${DRAFT_SUMS}`).run();
}
