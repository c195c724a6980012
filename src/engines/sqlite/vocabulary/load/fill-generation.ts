import { setImmediate as turn } from "node:timers/promises";
import type { Statement } from "better-sqlite3";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import { readTermContent, staticRank } from "../../../../core/terms/term-row.js";
import { formatInstant } from "../../../../core/time.js";
import type { LoadOptions } from "../../../../ports/store.js";
import { lastChange } from "../../connection/change-table.js";
import { generationTables } from "../../connection/vocabulary-tables.js";
import type { Writer } from "../../connection/write-connection.js";
import { COLUMN_CHUNK, type ColumnName } from "../search/saved-data.js";
import { currentGeneration, type Generation, generationByNumber } from "../store/generation.js";
import type { StoredRow } from "../store/term-rows.js";
import type { BulkLoader } from "./bulk-loader.js";
import { heartbeat, heartbeats } from "./claim.js";
import { copySorted, copyText, withTexts } from "./copy-tables.js";
import { type Ranking, rankTerms } from "./rank-terms.js";
import type { ParentLinks } from "./refuse-targets.js";
import { saveTextPostings } from "./save-postings.js";
import { savePathSets } from "./save-sets.js";
import { copyRedirects, insertStaged, makeRowNumbers, restSql } from "./staged-rows.js";

/** Terms whose full text is indexed in one call: some ten milliseconds. */
const BATCH_ITEMS = 1_000;

/** Rows that one statement writes while the lock is held: a millisecond or two. */
const ROWS_AT_ONCE = 200;

interface FillOptions {
  readonly g: number;
  /** Parents of the loaded terms, if they were computed. */
  readonly parents?: ParentLinks | undefined;
  readonly onIndexed?: LoadOptions["onIndexed"] | undefined;
}

/**
 * Fills the tables of generation `g` with the staged terms and the other terms of the current generation. Nobody reads
 * them yet.
 * @returns number of the last change that is certainly included
 */
export async function fillGeneration(
  writer: Writer,
  vocabulary: Vocabulary,
  loader: BulkLoader,
  { g, parents, onIndexed = () => undefined }: FillOptions,
): Promise<number> {
  const { db } = loader;
  const now = await writer.run((instant) => instant);
  let since = 0;
  await loader.steps(() => {
    heartbeat(db, g);
    db.raw.exec(generationTables(g));
    since = lastChange(db);
    return "done";
  });
  const beat = heartbeats(loader, g);
  const keptCount = await stageKept(loader, vocabulary, beat);
  const ranking = rankTerms(loader, vocabulary, keptCount === 0 ? parents : undefined);
  const generation = generationByNumber(db, g)!;
  db.raw.function("instant", (micros: unknown) => formatInstant(Number(micros)));
  await withTexts(loader, g, ranking.ranked, async (texts) => {
    for (let from = 0; from < ranking.ranked; from += BATCH_ITEMS) {
      const to = Math.min(from + BATCH_ITEMS, ranking.ranked);
      await texts.add(from + 1, readIndexedTexts(loader, from, to));
      await insertRows(loader, generation, now, from, to);
      onIndexed(to, ranking.ranked);
    }
    await copyIndexes(loader, generation, now);
    await copyRedirects(loader, vocabulary.name, g);
    await saveColumns(loader, vocabulary, generation, ranking);
    await texts.finish();
    await copyText(loader, g);
    await saveTextPostings(loader, generation, ranking.ranked);
    await savePathSets(loader, generation, vocabulary, ranking);
  });
  await loader.steps(() => {
    const { ranked, active, nested } = ranking;
    db.sql(
      `UPDATE generation SET ranked = @ranked, active = @active, next = @ranked + 1, nested = @nested, count = @ranked
       WHERE g = @g`,
    ).run({ g, ranked, active, nested: nested ? 1 : 0 });
    return "done";
  });
  return since;
}

/** SQL for terms by rank, after one rank and up to another. */
const RANKED = `FROM scratch.ranked r
  CROSS JOIN scratch.item i ON i.n = r.item CROSS JOIN scratch.body b ON b.n = r.item
  WHERE r.id > @from AND r.id <= @to`;

/** Returns title, names, rest and paths of terms in turn, see `TextBuilder`. */
function readIndexedTexts({ db }: BulkLoader, from: number, to: number): readonly string[] {
  const texts = db
    .sql<[string, string, string, string]>(
      `SELECT b.title_words, b.names, b.rest, b.paths
       FROM scratch.ranked r CROSS JOIN scratch.body b ON b.n = r.item WHERE r.id > ? AND r.id <= ? ORDER BY r.id`,
    )
    .raw();
  return texts.all(from, to).flat();
}

/** Writes the rows of terms with their history and change entries. @param now instant of the load */
async function insertRows(
  { db, steps }: BulkLoader,
  { g, vocabulary, sql }: Generation,
  now: number,
  from: number,
  to: number,
): Promise<void> {
  const rest = restSql("CASE WHEN i.created IS NULL THEN @updated ELSE instant(i.created) END", "@updated");
  const statements = [
    sql(
      `INSERT INTO main.term_$g(id, ext, status, prior, length, created, revision, hash, parent, successor, lo, hi,
         title, rest, sources)
       SELECT r.id, i.ext, i.status, i.prior, i.length, coalesce(i.created, @now), i.revision, b.hash, i.parent,
         i.successor, r.lo, r.hi, b.title, ${rest}, i.sources ${RANKED} ORDER BY r.id`,
    ),
    sql(
      `INSERT INTO main.term_history(vocabulary, ext, revision, action, load, changes)
       SELECT @vocabulary, i.ext, i.revision, 'loaded', $g, b.changes ${RANKED} AND i.fresh = 2`,
    ),
    sql(
      `INSERT INTO main.change_term(import, n, id, action, revision)
       SELECT $g, r.id, i.ext, CASE i.fresh WHEN 1 THEN 'created' ELSE 'updated' END, i.revision ${RANKED}
         AND i.fresh > 0 ORDER BY r.id`,
    ),
  ];
  const values = { now, updated: formatInstant(now), vocabulary };
  let writtenTo = from;
  await steps((isLate) => {
    heartbeat(db, g);
    while (writtenTo < to) {
      const range = { from: writtenTo, to: Math.min(writtenTo + ROWS_AT_ONCE, to) };
      for (const statement of statements) statement.run({ ...values, ...range });
      writtenTo = range.to;
      if (writtenTo < to && isLate()) return "more";
    }
    return "done";
  });
}

/** Copies index tables in key order, so that each table only grows at its end and a step writes few pages. */
async function copyIndexes(loader: BulkLoader, { g }: Generation, now: number): Promise<void> {
  const items = "scratch.item i JOIN scratch.place p ON p.item = i.n";
  const keys = (table: string): string => `scratch.${table} k JOIN scratch.place p ON p.item = k.n`;
  const copies: [table: string, select: string][] = [
    ["ext", `SELECT i.ext AS ext, p.id AS id FROM ${items} ORDER BY i.ext COLLATE NOCASE, 2`],
    ["created", `SELECT coalesce(i.created, ${now}) AS created, i.ext AS ext, p.id AS id FROM ${items} ORDER BY 1, 2`],
    ["child", `SELECT i.parent AS parent, p.id AS id FROM ${items} WHERE i.parent IS NOT NULL ORDER BY 1, 2`],
    ["title", `SELECT k.lang AS lang, k.key AS key, p.id AS id FROM ${keys("title")} ORDER BY 1, 2, 3`],
    ["name", `SELECT k.key AS key, k.kind AS kind, p.id AS id FROM ${keys("name")} ORDER BY 1, 2, 3`],
    ["val", `SELECT k.path AS path, k.value AS value, p.id AS id FROM ${keys("val")} ORDER BY 1, 2, 3`],
  ];
  for (const [table, select] of copies) await copySorted(loader, g, `${table}_${g}`, select);
}

/** Rows read and compiled in one transaction: some ten milliseconds. */
const KEPT_ROWS = 500;

/**
 * Stages the terms of the vocabulary that are not loaded, so that a new generation has them too. Concurrent writes are
 * replayed at the end; rows written from now on have higher numbers.
 * @param breathe called between two batches
 * @returns their number
 */
async function stageKept(loader: BulkLoader, vocabulary: Vocabulary, breathe: () => Promise<void>): Promise<number> {
  const { db } = loader;
  const generation = currentGeneration(db, vocabulary.name);
  if (generation === undefined) return 0;
  const read = generation.sql<StoredRow>(
    `SELECT * FROM term_$g t WHERE t.id > ? AND t.id < ${generation.next}
       AND NOT EXISTS (SELECT 1 FROM scratch.item i WHERE i.ext = t.ext AND i.fresh > 0)
     ORDER BY t.id LIMIT ${KEPT_ROWS}`,
  );
  const nextNumber = makeRowNumbers(db);
  let count = 0;
  for (let lastRow = 0; ; ) {
    const rows = loader.scratch(() => {
      const batch = read.all(lastRow);
      for (const row of batch) insertKept(loader, vocabulary, nextNumber(), row);
      return batch;
    });
    count += rows.length;
    if (rows.length < KEPT_ROWS) return count;
    lastRow = rows.at(-1)!.id;
    await breathe();
  }
}

function insertKept({ db }: BulkLoader, vocabulary: Vocabulary, n: number, row: StoredRow): void {
  const content = readTermContent(row);
  const { created, revision, hash, successor, sources, rest } = row;
  insertStaged(db, vocabulary, n, content, {
    ...staticRank(content, vocabulary),
    line: null,
    fresh: -1,
    isMoved: false,
    created,
    revision,
    hash,
    successor,
    sources,
    rest,
    patch: null,
    changes: null,
  });
}

/** Rows read in one query: some milliseconds. */
const ROWS_OF_QUERY = 20_000;

/** Saves the columns of the filled generation, see saved-data.ts. */
async function saveColumns(
  loader: BulkLoader,
  vocabulary: Vocabulary,
  generation: Generation,
  { ranked, lo }: Ranking,
): Promise<void> {
  const save = (name: ColumnName, column: Uint32Array): Promise<void> => saveColumn(loader, generation, name, column);
  await save("created", await placesByRow(createdOrder(generation), ranked));
  for (const lang of vocabulary.languages) {
    await save(`title ${lang}`, await placesByRow(titleOrder(generation, lang), ranked));
  }
  if (lo !== undefined) await save("place", rowsByPlace(lo, ranked));
}

/** Returns for each row its place in an order, from 0. @param order rows in order, in batches */
async function placesByRow(order: Iterable<readonly number[]>, ranked: number): Promise<Uint32Array> {
  const column = new Uint32Array(ranked);
  let place = 0;
  for (const rows of order) {
    for (const row of rows) column[row - 1] = place++;
    await turn();
  }
  return column;
}

function rowsByPlace(lo: Uint32Array, ranked: number): Uint32Array {
  const column = new Uint32Array(ranked);
  for (let row = 1; row <= ranked; row++) column[lo[row]! - 1] = row;
  return column;
}

function* createdOrder(generation: Generation): Generator<number[]> {
  const range = "FROM created_$g WHERE (created, ext) > (?, ?) ORDER BY created, ext LIMIT";
  yield* inBatches<[number, string]>(
    [-1, ""],
    generation.sql<number>(`SELECT id ${range} ${ROWS_OF_QUERY}`),
    generation.sql<[number, string]>(`SELECT created, ext ${range} 1 OFFSET ${ROWS_OF_QUERY - 1}`),
  );
}

function* titleOrder(generation: Generation, lang: string): Generator<number[]> {
  const range = "FROM title_$g WHERE lang = ? AND key > ? ORDER BY key LIMIT";
  yield* inBatches<[string, string]>(
    [lang, ""],
    generation.sql<number>(`SELECT id ${range} ${ROWS_OF_QUERY}`),
    generation.sql<[string, string]>(`SELECT lang, key ${range} 1 OFFSET ${ROWS_OF_QUERY - 1}`),
  );
}

/** Reads ids in key order in batches. Of the keys, only the last one of each batch is read. */
function* inBatches<Key extends readonly unknown[]>(
  first: Key,
  ids: Statement<unknown[], number>,
  lastKey: Statement<unknown[], Key>,
): Generator<number[]> {
  for (let key: Key | undefined = first; key !== undefined; key = lastKey.raw().get(...key) as Key | undefined) {
    yield ids.pluck().all(...key);
  }
}

async function saveColumn(
  loader: BulkLoader,
  generation: Generation,
  name: ColumnName,
  column: Uint32Array,
): Promise<void> {
  const save = generation.sql("INSERT INTO column_$g(name, n, data) VALUES(?, ?, ?)");
  let from = 0;
  await loader.steps((isLate) => {
    heartbeat(loader.db, generation.g);
    while (from < column.length) {
      if (isLate()) return "more";
      const part = column.subarray(from, from + COLUMN_CHUNK);
      save.run(name, from, Buffer.from(part.buffer, part.byteOffset, part.byteLength));
      from += COLUMN_CHUNK;
    }
    return "done";
  });
}
