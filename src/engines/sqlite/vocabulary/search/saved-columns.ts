import { contains, isWords, wordsOf } from "../../bitmaps/doc-id-set.js";
import { type Generation, kept, savedDamaged } from "../store/generation.js";
import { deletedRows } from "./live-docs.js";
import type { SearchContext } from "./search-context.js";

/**
 * Columns of numbers that are saved with a generation: `place` (row by pre-order number, from 1), and by row, from 1,
 * the place (from 0) in the orders `created` and `title <lang>`.
 */
export type ColumnName = "place" | "created" | `title ${string}`;

/** Numbers in one row of `column`: 256 KiB. */
export const COLUMN_CHUNK = 65_536;

/** A saved column; empty where there is none. */
export function readColumn(context: SearchContext, name: ColumnName): Uint32Array {
  return kept(context, `column ${name}`, () => {
    const numbers = savedColumn(context.generation, name);
    return [numbers, numbers.byteLength];
  });
}

/** The rows of an order by their places: a saved column the other way round. 0 where what stood there went away. */
export function rowsByPlace(context: SearchContext, name: Exclude<ColumnName, "place">): Uint32Array {
  return kept(context, `rows by ${name}`, () => {
    const places = readColumn(context, name);
    const gone = deletedRows(context);
    const rows = new Uint32Array(places.length);
    // What was gone before it had a place has the number of the first one.
    for (let id = 1; id <= places.length; id++) if (!contains(gone, id)) rows[places[id - 1]!] = id;
    return [rows, rows.byteLength];
  });
}

/** Reads a column like `readColumn`, but each time from the tables. @throws BinderyError STORE_DAMAGED */
export function savedColumn(generation: Generation, name: ColumnName): Uint32Array {
  const parts = generation.sql<unknown>("SELECT data FROM column_$g WHERE name = ? ORDER BY n").pluck().all(name);
  if (!parts.every(isWords)) throw savedDamaged(generation, name);
  const numbers = new Uint32Array(parts.reduce((sum, part) => sum + part.length / 4, 0));
  // A column that lacks numbers would leave terms out.
  if (parts.length > 0 && numbers.length !== generation.ranked) throw savedDamaged(generation, name);
  let at = 0;
  for (const part of parts) {
    numbers.set(wordsOf(part), at);
    at += part.length / 4;
  }
  return numbers;
}
