import { wordsOf } from "../../bitmaps/doc-id-set-codec.js";
import type { Generation } from "../store/generation.js";
import { kept } from "../store/generation-cache.js";
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

/** As above, read from the tables each time. */
export function savedColumn(generation: Generation, name: ColumnName): Uint32Array {
  const parts = generation.sql<Buffer>("SELECT data FROM column_$g WHERE name = ? ORDER BY n").pluck().all(name);
  const numbers = new Uint32Array(parts.reduce((sum, part) => sum + part.length / 4, 0));
  let at = 0;
  for (const part of parts) {
    numbers.set(wordsOf(part), at);
    at += part.length / 4;
  }
  return numbers;
}
