import { setImmediate as turn } from "node:timers/promises";
import type { Vocabulary } from "../../../core/catalog/types.js";
import { showLife } from "./claim.js";
import type { Generation } from "./generation.js";
import type { Loader } from "./loader.js";
import type { Ranking } from "./rank-items.js";
import { COLUMN_CHUNK, type ColumnName } from "./saved-columns.js";

/** Rows read in one go: some milliseconds. */
const ROWS_AT_ONCE = 20_000;

/** Saves the columns of the filled generation, see saved-columns.ts. */
export async function saveColumns(
  loader: Loader,
  vocabulary: Vocabulary,
  generation: Generation,
  { ranked, nested }: Ranking,
): Promise<void> {
  const { db } = loader;
  const columns: [name: ColumnName, rows: Iterable<[at: number, number: number]>][] = [
    ["created", inOrder(generation.sql<number>("SELECT id FROM created_$g ORDER BY created, ext").pluck())],
  ];
  for (const lang of vocabulary.languages) {
    const titles = generation.sql<number>("SELECT id FROM title_$g WHERE lang = ? ORDER BY key, id").pluck();
    columns.push([`title ${lang}`, inOrder(titles, lang)]);
  }
  if (vocabulary.hierarchy && nested) {
    const places = db.sql<[number, number]>("SELECT lo, id FROM scratch.ranked WHERE lo IS NOT NULL").raw();
    columns.push(["place", places.iterate() as Iterable<[number, number]>]);
  }
  for (const [name, rows] of columns) await saveColumn(loader, generation, name, await columnOf(rows, ranked));
}

/** Each row with its place in the order that the statement lists them in. */
function* inOrder(
  statement: { iterate(...params: unknown[]): Iterable<unknown> },
  ...params: unknown[]
): Generator<[row: number, place: number]> {
  let place = 0;
  for (const id of statement.iterate(...params)) yield [Number(id), place++];
}

async function columnOf(rows: Iterable<[at: number, number: number]>, ranked: number): Promise<Uint32Array> {
  const column = new Uint32Array(ranked);
  let seen = 0;
  for (const [at, number] of rows) {
    column[at - 1] = number;
    seen += 1;
    if (seen % ROWS_AT_ONCE === 0) await turn();
  }
  return column;
}

async function saveColumn(
  loader: Loader,
  generation: Generation,
  name: ColumnName,
  column: Uint32Array,
): Promise<void> {
  const save = generation.sql("INSERT INTO column_$g(name, n, data) VALUES(?, ?, ?)");
  let from = 0;
  await loader.steps((isLate) => {
    showLife(loader.db, generation.g);
    while (from < column.length) {
      if (isLate()) return "more";
      const part = column.subarray(from, from + COLUMN_CHUNK);
      save.run(name, from, Buffer.from(part.buffer, part.byteOffset, part.byteLength));
      from += COLUMN_CHUNK;
    }
    return "done";
  });
}
