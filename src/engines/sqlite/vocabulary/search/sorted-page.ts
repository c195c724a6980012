import { addAll } from "../../../../core/collections.js";
import { compareBytes } from "../../../../core/terms/term-order.js";
import { storedTitles } from "../../../../core/terms/term-row.js";
import type { PageWindow } from "../../../../ports/search-index.js";
import { titleKey } from "../../../../query/index-model/term-document.js";
import { readSortedTermKey, type SortKey } from "../../../../query/ranking/sort-keys.js";
import { cardinality, containsRow, type DocIdSet, firstIds, toIds } from "../../bitmaps/doc-id-set.js";
import { cachedUntilWrite, cacheUntilWrite, findCachedUntilWrite } from "../store/generation.js";
import { rowsById } from "../store/term-reader.js";
import { firstByColumn } from "./first-by-column.js";
import { deltaRows } from "./live-docs.js";
import type { RowPage } from "./ranked-terms.js";
import { readColumn, rowsByPlace } from "./saved-data.js";
import type { SearchContext } from "./search-context.js";

/** An order by a property of terms, not by relevance. */
export type Order = { readonly by: "title"; readonly lang: string } | { readonly by: "newest" | "oldest" };

/** Up to this many rows are read and sorted. Reading a row takes as long as looking up the saved places of hundreds. */
const SORTED_ROWS_MAX = 16;

/** The same limit if no places are saved. */
const UNSAVED_ROWS_MAX = 1_000;

/** Number of entries of an order that are read at once. */
const ENTRIES_AT_ONCE = 5_000;

const ID_BYTES = 8;

/** Bytes of an entry in memory. */
const ENTRY_BYTES = 400;

/** An entry of an order: its complete key and its row. */
type Entry = readonly [key: SortKey, id: number];

/** Returns a page of rows in an order. @param rows live rows */
export function sortedPage(context: SearchContext, rows: DocIdSet, order: Order, page: PageWindow): RowPage {
  const after = "after" in page && page.after !== null ? readSortedTermKey(page.after, order.by) : undefined;
  const skip = "offset" in page ? page.offset : 0;
  // One row more than the limit shows whether there is a next page.
  const pageRows =
    cardinality(rows) === context.generation.count
      ? readIds(context, order, after, { skip, max: page.limit + 1 })
      : firstRows(context, rows, order, after, skip + page.limit + 1).slice(skip);
  const ids = pageRows.slice(0, page.limit);
  const last = ids.at(-1);
  if (pageRows.length <= page.limit || last === undefined) return { ids };
  return { ids, next: makeSortKey(context, order)(rowsById(context.generation, [last])[0]!) };
}

/** Returns the first rows of a set after the key, in order. */
function firstRows(
  context: SearchContext,
  rows: DocIdSet,
  order: Order,
  after: SortKey | undefined,
  limit: number,
): readonly number[] {
  const sorted = (): readonly number[] => sortEntries(context, toIds(rows), order, after).map(([, id]) => id);
  if (cardinality(rows) <= SORTED_ROWS_MAX) return sorted();
  const byColumn = firstRowsByColumn(context, rows, order, after, limit);
  if (byColumn !== undefined) return byColumn;
  return cardinality(rows) <= UNSAVED_ROWS_MAX ? sorted() : scanOrder(context, rows, order, after, limit);
}

type KeyedRow = ReturnType<typeof rowsById>[number];

function makeSortKey({ vocabulary }: SearchContext, order: Order): (row: KeyedRow) => SortKey {
  if (order.by !== "title") return ({ created, ext }) => [created, ext];
  return ({ ext, title }) => [titleKey({ id: ext, title: storedTitles(title, ext) }, order.lang, vocabulary)];
}

function sortEntries(context: SearchContext, ids: Iterable<number>, order: Order, after: SortKey | undefined): Entry[] {
  const key = makeSortKey(context, order);
  const entries = rowsById(context.generation, ids).map((row): Entry => [key(row), row.id]);
  const compare = makeCompare(order);
  entries.sort((a, b) => compare(a[0], b[0]));
  return after === undefined ? entries : entries.filter(([each]) => compare(each, after) > 0);
}

function makeCompare({ by }: Order): (a: SortKey, b: SortKey) => number {
  return by === "newest" ? (a, b) => compareKeys(b, a) : compareKeys;
}

function compareKeys(a: SortKey, b: SortKey): number {
  for (const [i, x] of a.entries()) {
    const y = b[i]!;
    const order = typeof x === "number" ? x - Number(y) : compareBytes(x, String(y));
    if (order !== 0) return order;
  }
  return 0;
}

/** Returns the first rows by saved places, merged with the few delta rows; undefined if no places are saved. */
function firstRowsByColumn(
  context: SearchContext,
  rows: DocIdSet,
  order: Order,
  after: SortKey | undefined,
  limit: number,
): readonly number[] | undefined {
  const name = order.by === "title" ? (`title ${order.lang}` as const) : "created";
  const places = readColumn(context, name);
  if (places.length === 0) return undefined;
  const { ranked } = context.generation;
  const isDescending = order.by === "newest";
  const from = after === undefined ? undefined : firstRankedAfter(context, order, after);
  const start = after === undefined ? {} : from === undefined ? { isEmpty: true } : { from: places[from - 1]! };
  const savedOrder = { places, rows: () => rowsByPlace(context, name) };
  const rankedRows = firstByColumn(rows, savedOrder, { limit, isDescending, ...start });
  if (firstIds(rows, ranked, 1).length === 0) return rankedRows;
  const compare = makeCompare(order);
  const delta = deltaEntries(context, order).filter(
    ([key, id]) => containsRow(rows, id) && (after === undefined || compare(key, after) > 0),
  );
  const key = makeSortKey(context, order);
  const keyOfRow = (id: number): SortKey => key(rowsById(context.generation, [id])[0]!);
  return mergeEntries(rankedRows, delta, (id, other) => compare(keyOfRow(id), other) > 0).slice(0, limit);
}

/** Returns the delta rows in an order. */
function deltaEntries(context: SearchContext, order: Order): readonly Entry[] {
  const name = order.by === "title" ? `title ${order.lang}` : order.by;
  return cachedUntilWrite(context, `delta ${name}`, () => {
    const ids = deltaRows(context).map(({ id }) => id);
    const entries = sortEntries(context, ids, order, undefined);
    return [entries, entries.length * ENTRY_BYTES];
  });
}

/** Merges entries into rows of the same order. @param follows whether a row comes after a key */
function mergeEntries(
  rows: readonly number[],
  entries: readonly Entry[],
  follows: (id: number, key: SortKey) => boolean,
): number[] {
  const merged: number[] = [];
  let at = 0;
  for (const [key, id] of entries) {
    let [low, high] = [at, rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (follows(rows[middle]!, key)) high = middle;
      else low = middle + 1;
    }
    addAll(merged, rows.slice(at, low));
    merged.push(id);
    at = low;
  }
  addAll(merged, rows.slice(at));
  return merged;
}

/** Returns the first ranked row after a key. */
function firstRankedAfter(context: SearchContext, order: Order, after: SortKey): number | undefined {
  for (const [, id] of entriesAfter(context, order, after, 100)) if (id <= context.generation.ranked) return id;
  return undefined;
}

/** Finds the first rows of a set by walking through the order. */
function scanOrder(
  context: SearchContext,
  rows: DocIdSet,
  order: Order,
  after: SortKey | undefined,
  limit: number,
): readonly number[] {
  const ids: number[] = [];
  for (const [, id] of entriesAfter(context, order, after, ENTRIES_AT_ONCE)) {
    if (containsRow(rows, id)) ids.push(id);
    if (ids.length === limit) return ids;
  }
  return ids;
}

/** Yields all entries after a key. @param batchSize number of entries that are read at once */
function* entriesAfter(
  context: SearchContext,
  order: Order,
  after: SortKey | undefined,
  batchSize: number,
): Generator<Entry> {
  let last = after;
  for (;;) {
    const entries = readEntries(context, order, last, batchSize);
    yield* entries;
    if (entries.length < batchSize) return;
    last = entries.at(-1)![0];
    context.checkTime();
  }
}

/** Below and above every `created`, in microseconds. */
const FIRST = -1;
const LAST = Number.MAX_SAFE_INTEGER;

/** Returns the SQL (`FROM ... ORDER BY ...`) for the entries of an order after a key, and its parameters. */
function orderSql(order: Order, after: SortKey | undefined): { readonly from: string; readonly values: SortKey } {
  if (order.by === "title") {
    const from = "FROM title_$g WHERE lang = ? AND key > ? ORDER BY key";
    return { from, values: [order.lang, after?.[0] ?? ""] };
  }
  if (order.by === "newest") {
    const from = "FROM created_$g WHERE (created, ext) < (?, ?) ORDER BY created DESC, ext DESC";
    return { from, values: after ?? [LAST, ""] };
  }
  const from = "FROM created_$g WHERE (created, ext) > (?, ?) ORDER BY created, ext";
  return { from, values: after ?? [FIRST, ""] };
}

function readEntries({ generation }: SearchContext, order: Order, after: SortKey | undefined, max: number): Entry[] {
  const { from, values } = orderSql(order, after);
  if (order.by === "title") {
    const rows = generation.sql<[string, number]>(`SELECT key, id ${from} LIMIT ?`).raw();
    return rows.all(...values, max).map(([key, id]) => [[key], id]);
  }
  const rows = generation.sql<[number, string, number]>(`SELECT created, ext, id ${from} LIMIT ?`).raw();
  return rows.all(...values, max).map(([created, ext, id]) => [[created, ext], id]);
}

/** Returns the rows of a page over all terms. */
function readIds(
  context: SearchContext,
  order: Order,
  after: SortKey | undefined,
  { skip, max }: { readonly skip: number; readonly max: number },
): readonly number[] {
  const end = skip + max;
  return after === undefined
    ? readFirstIds(context, order, end).slice(skip, end)
    : readFrom(context, order, after, max);
}

/** Returns at least the first `limit` rows of all terms. They are cached, because pages by number skip rows. */
function readFirstIds(context: SearchContext, order: Order, limit: number): readonly number[] {
  const { generation, cache } = context;
  const name = order.by === "title" ? `first by title ${order.lang}` : `first by ${order.by}`;
  const cached = findCachedUntilWrite<readonly number[]>(context, name);
  if (cached !== undefined && (cached.length >= limit || cached.length === generation.count)) return cached;
  const ids = readFrom(context, order, undefined, Math.max(limit, 2 * (cached?.length ?? 0)));
  cacheUntilWrite({ generation, cache }, name, ids, ids.length * ID_BYTES);
  return ids;
}

function readFrom({ generation }: SearchContext, order: Order, after: SortKey | undefined, max: number): number[] {
  const { from, values } = orderSql(order, after);
  const statement = generation.sql<number>(`SELECT id ${from} LIMIT ?`).pluck();
  return statement.all(...values, max);
}
