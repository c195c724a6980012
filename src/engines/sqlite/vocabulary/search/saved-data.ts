/** Data that is saved with a generation: sets of rows of common tokens and prefixes, and columns of numbers. */
import {
  bytesOfSet,
  containsRow,
  copyNumbers,
  type DocIdSet,
  isWords,
  subtractSet,
  unpackRows,
} from "../../bitmaps/doc-id-set.js";
import { cachedForGeneration, type Generation, savedDamaged } from "../store/generation.js";
import { deletedRows } from "./live-docs.js";
import type { TextColumns } from "./phrases.js";
import type { SearchContext } from "./search-context.js";

/** FTS5 finds up to this many rows in a fraction of a millisecond. */
const RARE_ROWS_MAX = 3_000;
const SMALL_SET = 32;

/** Returns the minimum number of ranked rows with a token or prefix for which its set of rows is saved. */
export const savedSetRowsMin = (ranked: number): number =>
  Math.min(RARE_ROWS_MAX, Math.max(SMALL_SET, Math.floor(ranked / 100)));

/** Maximum number of letters of a saved prefix. */
export const SAVED_PREFIX_MAX = 12;

/** Returns the name of the set of a token, or of all tokens with a prefix. */
export const savedSetName = (token: string, isPrefix: boolean): string => (isPrefix ? `${token}*` : token);

/** Saved sets by name, with their ids and numbers of rows. */
type SavedNames = ReadonlyMap<string, { readonly id: number; readonly rows: number }>;

const NAME_BYTES = 150;

function savedNames(context: SearchContext): SavedNames {
  return cachedForGeneration(context, "saved names", () => {
    const { generation } = context;
    const rows = generation.sql<[string, number, number]>("SELECT name, id, count FROM hot_$g").raw().all();
    const names = new Map(rows.map(([name, id, count]) => [name, { id, rows: count }]));
    return [names, names.size * NAME_BYTES];
  });
}

/** Returns whether the set of a token or prefix is saved. */
export const hasSavedSet = (context: SearchContext, token: string, isPrefix: boolean): boolean =>
  savedNames(context).has(savedSetName(token, isPrefix));

/** Returns the saved set of the ranked rows with a token in some columns; undefined if it is not saved. */
export function readSavedSet(
  context: SearchContext,
  token: string,
  isPrefix: boolean,
  columns: TextColumns,
): DocIdSet | undefined {
  const name = savedSetName(token, isPrefix);
  const id = savedNames(context).get(name)?.id;
  if (id === undefined || columns === "synonyms") return undefined;
  return cachedForGeneration(context, `saved ${columns} ${name}`, () => {
    const rows = readSavedRows(context.generation, id, columns);
    return [rows, bytesOfSet(rows)];
  });
}

/** Reads the rows of a saved set with the token in some columns, including deleted rows. @param id id of the set */
export function readSavedRows(generation: Generation, id: number, columns: "all" | "title" | "names"): DocIdSet {
  const read = (column: string): DocIdSet | undefined => {
    const blob = generation.sql<unknown>(`SELECT ${column} FROM hot_$g WHERE id = ?`).pluck().get(id);
    if (blob === undefined || blob === null) return undefined;
    const rows = unpackRows(blob);
    if (rows === undefined) throw savedDamaged(generation, `hot ${id}`);
    return rows;
  };
  const all = read("all_rows");
  if (all === undefined) throw savedDamaged(generation, `hot ${id}`);
  const excluded = columns === "all" ? undefined : read(columns === "title" ? "not_title" : "not_names");
  return excluded === undefined ? all : subtractSet(all, excluded);
}

/**
 * The name of a saved column of numbers: `place` has rows by pre-order number (from 1); `created` and `title <lang>`
 * have places (from 0) in these orders by row (from 1).
 */
export type ColumnName = "place" | "created" | `title ${string}`;

/** Numbers per row of the table `column`: 256 KiB. */
export const COLUMN_CHUNK = 65_536;

/** Returns a saved column from the cache or the tables; empty if there is none. */
export function readColumn(context: SearchContext, name: ColumnName): Uint32Array {
  return cachedForGeneration(context, `column ${name}`, () => {
    const numbers = readSavedColumn(context.generation, name);
    return [numbers, numbers.byteLength];
  });
}

/** Returns the rows of an order by place: the inverse of a saved column. It has 0 for deleted rows. */
export function rowsByPlace(context: SearchContext, name: Exclude<ColumnName, "place">): Uint32Array {
  return cachedForGeneration(context, `rows by ${name}`, () => {
    const places = readColumn(context, name);
    const deleted = deletedRows(context);
    const rows = new Uint32Array(places.length);
    // A row that was deleted before it got a place has the place of the first row.
    for (let id = 1; id <= places.length; id++) if (!containsRow(deleted, id)) rows[places[id - 1]!] = id;
    return [rows, rows.byteLength];
  });
}

/** Reads a column from the tables, without the cache. @throws BinderyError STORE_DAMAGED */
export function readSavedColumn(generation: Generation, name: ColumnName): Uint32Array {
  const parts = generation.sql<unknown>("SELECT data FROM column_$g WHERE name = ? ORDER BY n").pluck().all(name);
  if (!parts.every(isWords)) throw savedDamaged(generation, name);
  const numbers = new Uint32Array(parts.reduce((sum, part) => sum + part.length / 4, 0));
  // With a column that is too short, results would lack terms.
  if (parts.length > 0 && numbers.length !== generation.ranked) throw savedDamaged(generation, name);
  let at = 0;
  for (const part of parts) {
    numbers.set(copyNumbers(part), at);
    at += part.length / 4;
  }
  return numbers;
}
