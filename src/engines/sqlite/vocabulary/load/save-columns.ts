import { setImmediate as turn } from "node:timers/promises";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import { COLUMN_CHUNK, type ColumnName } from "../search/saved-columns.js";
import type { Generation } from "../store/generation.js";
import type { BulkLoader } from "./bulk-loader.js";
import { heartbeat } from "./claim.js";
import type { Ranking } from "./rank-items.js";

/** Rows read in one go: some milliseconds. */
const ROWS_AT_ONCE = 20_000;

/** Saves the columns of the filled generation, see saved-columns.ts. */
export async function saveColumns(
  loader: BulkLoader,
  vocabulary: Vocabulary,
  generation: Generation,
  { ranked, nested }: Ranking,
): Promise<void> {
  const save = async (name: ColumnName, entries: Iterable<readonly Entry[]>): Promise<void> =>
    saveColumn(loader, generation, name, await columnOf(entries, ranked));
  await save("created", inOrder(createdOrder(generation)));
  for (const lang of vocabulary.languages) await save(`title ${lang}`, inOrder(titleOrder(generation, lang)));
  if (vocabulary.hierarchy && nested) await save("place", places(loader, ranked));
}

/** A place in a column, from 1, and the number that stands there. */
type Entry = readonly [at: number, number: number];

/** Each row with its place in an order. @param order rows in order, some at a time */
function* inOrder(order: Iterable<readonly number[]>): Generator<Entry[]> {
  let place = 0;
  for (const rows of order) yield rows.map((row) => [row, place++]);
}

function* createdOrder(generation: Generation): Generator<number[]> {
  const next = generation
    .sql<[number, string, number]>(
      `SELECT created, ext, id FROM created_$g WHERE (created, ext) > (?, ?)
       ORDER BY created, ext LIMIT ${ROWS_AT_ONCE}`,
    )
    .raw();
  for (let rows = next.all(-1, ""); rows.length > 0; rows = next.all(...rows.at(-1)!.slice(0, 2))) {
    yield rows.map(([, , id]) => id);
  }
}

function* titleOrder(generation: Generation, lang: string): Generator<number[]> {
  const next = generation
    .sql<[string, number]>(`SELECT key, id FROM title_$g WHERE lang = ? AND key > ? ORDER BY key LIMIT ${ROWS_AT_ONCE}`)
    .raw();
  for (let rows = next.all(lang, ""); rows.length > 0; rows = next.all(lang, rows.at(-1)![0])) {
    yield rows.map(([, id]) => id);
  }
}

function* places({ db }: BulkLoader, ranked: number): Generator<Entry[]> {
  const some = db.sql<Entry>("SELECT lo, id FROM scratch.ranked WHERE id > ? AND id <= ?").raw();
  for (let from = 0; from < ranked; from += ROWS_AT_ONCE) yield some.all(from, from + ROWS_AT_ONCE) as Entry[];
}

async function columnOf(entries: Iterable<readonly Entry[]>, ranked: number): Promise<Uint32Array> {
  const column = new Uint32Array(ranked);
  for (const some of entries) {
    for (const [at, number] of some) column[at - 1] = number;
    await turn();
  }
  return column;
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
