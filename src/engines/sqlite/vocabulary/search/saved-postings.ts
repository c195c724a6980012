import { andNot, bytesOfSet, type DocIdSet, unpackRows } from "../../bitmaps/doc-id-set.js";
import { type Generation, kept, savedDamaged } from "../store/generation.js";
import type { TextColumns } from "./phrases.js";
import type { SearchContext } from "./search-context.js";

/** Up to so many rows asking FTS5 takes a fraction of a millisecond, and in a small vocabulary always. */
const RARE_ROWS_MAX = 3_000;
const SMALL_SET = 32;

/** Tokens and beginnings of words in so many of the ranked rows or more have their sets saved with the generation. */
export const savedPostingsMin = (ranked: number): number =>
  Math.min(RARE_ROWS_MAX, Math.max(SMALL_SET, Math.floor(ranked / 100)));

/** Beginnings of up to so many letters are saved. */
export const SAVED_PREFIX_MAX = 12;

/** The name of the set of a token, or of all tokens that begin so. */
export const postingsName = (token: string, isPrefix: boolean): string => (isPrefix ? `${token}*` : token);

/** Saved sets by name: their numbers, and how many rows they have. */
type SavedNames = ReadonlyMap<string, { readonly id: number; readonly rows: number }>;

const NAME_BYTES = 150;

function savedNames(context: SearchContext): SavedNames {
  return kept(context, "saved names", () => {
    const { generation } = context;
    const rows = generation.sql<[string, number, number]>("SELECT name, id, count FROM hot_$g").raw().all();
    const names = new Map(rows.map(([name, id, count]) => [name, { id, rows: count }]));
    return [names, names.size * NAME_BYTES];
  });
}

/** Is there a saved set? */
export const hasSavedPostings = (context: SearchContext, token: string, isPrefix: boolean): boolean =>
  savedNames(context).has(postingsName(token, isPrefix));

/** The ranked rows with a token in some columns, as they were saved; undefined where they were not. */
export function savedPostings(
  context: SearchContext,
  token: string,
  isPrefix: boolean,
  columns: TextColumns,
): DocIdSet | undefined {
  const name = postingsName(token, isPrefix);
  const id = savedNames(context).get(name)?.id;
  if (id === undefined || columns === "synonyms") return undefined;
  return kept(context, `saved ${columns} ${name}`, () => {
    const rows = savedRows(context.generation, id, columns);
    return [rows, bytesOfSet(rows)];
  });
}

/** The rows of a saved set that have it in some columns, deleted ones among them. @param id its row in the table */
export function savedRows(generation: Generation, id: number, columns: "all" | "title" | "names"): DocIdSet {
  const read = (column: string): DocIdSet | undefined => {
    const blob = generation.sql<unknown>(`SELECT ${column} FROM hot_$g WHERE id = ?`).pluck().get(id);
    if (blob === undefined || blob === null) return undefined;
    const rows = unpackRows(blob);
    if (rows === undefined) throw savedDamaged(generation, `hot ${id}`);
    return rows;
  };
  const all = read("all_rows");
  if (all === undefined) throw savedDamaged(generation, `hot ${id}`);
  const others = columns === "all" ? undefined : read(columns === "title" ? "not_title" : "not_names");
  return others === undefined ? all : andNot(all, others);
}
