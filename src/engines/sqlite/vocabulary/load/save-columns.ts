import { setImmediate as turn } from "node:timers/promises";
import type { Statement } from "better-sqlite3";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import { COLUMN_CHUNK, type ColumnName } from "../search/saved-data.js";
import type { Generation } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";
import { heartbeat } from "./claim.js";
import type { Ranking } from "./rank-terms.js";

/** Rows read in one query: some milliseconds. */
const ROWS_AT_ONCE = 20_000;

/** Saves the columns of the filled generation, see saved-data.ts. */
export async function saveColumns(
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
    generation.sql<number>(`SELECT id ${range} ${ROWS_AT_ONCE}`),
    generation.sql<[number, string]>(`SELECT created, ext ${range} 1 OFFSET ${ROWS_AT_ONCE - 1}`),
  );
}

function* titleOrder(generation: Generation, lang: string): Generator<number[]> {
  const range = "FROM title_$g WHERE lang = ? AND key > ? ORDER BY key LIMIT";
  yield* inBatches<[string, string]>(
    [lang, ""],
    generation.sql<number>(`SELECT id ${range} ${ROWS_AT_ONCE}`),
    generation.sql<[string, string]>(`SELECT lang, key ${range} 1 OFFSET ${ROWS_AT_ONCE - 1}`),
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
