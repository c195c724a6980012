import { addAll } from "../../../../core/collections.js";
import { compareBytes } from "../../../../core/terms/term-order.js";
import { storedTitles } from "../../../../core/terms/term-row.js";
import type { Page } from "../../../../ports/search-index.js";
import { titleKey } from "../../../../query/index-model/term-keys.js";
import { readSortedTermKey, type SortKey } from "../../../../query/ranking/sort-keys.js";
import { cardinality, contains, type DocIdSet, firstIds, toIds } from "../../bitmaps/doc-id-set.js";
import { findUntilWrite, keepUntilWrite, keptUntilWrite } from "../store/generation.js";
import { rowsById } from "../store/term-reader.js";
import { firstByColumn } from "./first-by-column.js";
import { deltaRows } from "./live-docs.js";
import type { RowPage } from "./ranked-terms.js";
import { readColumn, rowsByPlace } from "./saved-columns.js";
import type { SearchContext } from "./search-context.js";

/** Orders by what an item is, not by how well it matches. */
export type Order = { readonly by: "title"; readonly lang: string } | { readonly by: "newest" | "oldest" };

/** Up to so many rows are read and sorted: to read one takes as long as to look up the saved places of hundreds. */
const SORTED_ROWS_MAX = 16;

/** The same where no places are saved. */
const UNSAVED_ROWS_MAX = 1_000;

/** Entries of an order that are read in one go. */
const ENTRIES_AT_ONCE = 5_000;

const ID_BYTES = 8;

/** What an entry takes in memory. */
const ENTRY_BYTES = 400;

/** An entry of an order: its key, whole, and its row. */
type Entry = readonly [key: SortKey, id: number];

/** @param rows live ones */
export function sortedPage(context: SearchContext, rows: DocIdSet, order: Order, page: Page): RowPage {
  const after = "after" in page && page.after !== null ? readSortedTermKey(page.after, order.by) : undefined;
  const skip = "offset" in page ? page.offset : 0;
  // One more than wanted tells whether anything follows.
  const found =
    cardinality(rows) === context.generation.count
      ? readIds(context, order, after, { skip, max: page.limit + 1 })
      : firstEntries(context, rows, order, after, skip + page.limit + 1).slice(skip);
  const ids = found.slice(0, page.limit);
  const last = ids.at(-1);
  if (found.length <= page.limit || last === undefined) return { ids };
  return { ids, next: keyOf(context, order)(rowsById(context.generation, [last])[0]!) };
}

/** The first rows after the key, in order, as many as wanted. */
function firstEntries(
  context: SearchContext,
  rows: DocIdSet,
  order: Order,
  after: SortKey | undefined,
  wanted: number,
): readonly number[] {
  const sorted = (): readonly number[] => sortEntries(context, toIds(rows), order, after).map(([, id]) => id);
  if (cardinality(rows) <= SORTED_ROWS_MAX) return sorted();
  const saved = byColumn(context, rows, order, after, wanted);
  if (saved !== undefined) return saved;
  return cardinality(rows) <= UNSAVED_ROWS_MAX ? sorted() : walkOrder(context, rows, order, after, wanted);
}

type KeyedRow = ReturnType<typeof rowsById>[number];

function keyOf({ vocabulary }: SearchContext, order: Order): (row: KeyedRow) => SortKey {
  if (order.by !== "title") return ({ created, ext }) => [created, ext];
  return ({ ext, title }) => [titleKey({ id: ext, title: storedTitles(title, ext) }, order.lang, vocabulary)];
}

function sortEntries(context: SearchContext, ids: Iterable<number>, order: Order, after: SortKey | undefined): Entry[] {
  const key = keyOf(context, order);
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

/** By the saved places of the ranked rows; delta ones are few and are put between them. */
function byColumn(
  context: SearchContext,
  rows: DocIdSet,
  order: Order,
  after: SortKey | undefined,
  wanted: number,
): readonly number[] | undefined {
  const name = order.by === "title" ? (`title ${order.lang}` as const) : "created";
  const places = readColumn(context, name);
  if (places.length === 0) return undefined;
  const { ranked } = context.generation;
  const isDown = order.by === "newest";
  const from = after === undefined ? undefined : firstRankedAfter(context, order, after);
  const limits = after === undefined ? {} : from === undefined ? { none: true } : { from: places[from - 1]! };
  const saved = { places, rows: () => rowsByPlace(context, name) };
  const first = firstByColumn(rows, saved, { wanted, isDown, ...limits });
  if (firstIds(rows, ranked, 1).length === 0) return first;
  const compare = makeCompare(order);
  const delta = deltaEntries(context, order).filter(
    ([key, id]) => contains(rows, id) && (after === undefined || compare(key, after) > 0),
  );
  const key = keyOf(context, order);
  const keyOfRow = (id: number): SortKey => key(rowsById(context.generation, [id])[0]!);
  return putBetween(first, delta, (id, other) => compare(keyOfRow(id), other) > 0).slice(0, wanted);
}

/** The delta rows in an order. */
function deltaEntries(context: SearchContext, order: Order): readonly Entry[] {
  const name = order.by === "title" ? `title ${order.lang}` : order.by;
  return keptUntilWrite(context, `delta ${name}`, () => {
    const ids = deltaRows(context).map(({ id }) => id);
    const entries = sortEntries(context, ids, order, undefined);
    return [entries, entries.length * ENTRY_BYTES];
  });
}

/** Two lists in one order as one. @param follows does a row come after the key? */
function putBetween(
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

function firstRankedAfter(context: SearchContext, order: Order, after: SortKey): number | undefined {
  for (const [, id] of entriesAfter(context, order, after, 100)) if (id <= context.generation.ranked) return id;
  return undefined;
}

function walkOrder(
  context: SearchContext,
  rows: DocIdSet,
  order: Order,
  after: SortKey | undefined,
  wanted: number,
): readonly number[] {
  const found: number[] = [];
  for (const [, id] of entriesAfter(context, order, after, ENTRIES_AT_ONCE)) {
    if (contains(rows, id)) found.push(id);
    if (found.length === wanted) return found;
  }
  return found;
}

/** All entries after a key. @param many how many are read in one go */
function* entriesAfter(
  context: SearchContext,
  order: Order,
  after: SortKey | undefined,
  many: number,
): Generator<Entry> {
  let last = after;
  for (;;) {
    const entries = readEntries(context, order, last, many);
    yield* entries;
    if (entries.length < many) return;
    last = entries.at(-1)![0];
    context.checkTime();
  }
}

/** Below and above every `created`, in microseconds. */
const FIRST = -1;
const LAST = Number.MAX_SAFE_INTEGER;

/** What stands in an order after a key, for SQL: `FROM ... ORDER BY ...`, and its parameters. */
function inOrder(order: Order, after: SortKey | undefined): { readonly from: string; readonly values: SortKey } {
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
  const { from, values } = inOrder(order, after);
  if (order.by === "title") {
    const rows = generation.sql<[string, number]>(`SELECT key, id ${from} LIMIT ?`).raw();
    return rows.all(...values, max).map(([key, id]) => [[key], id]);
  }
  const rows = generation.sql<[number, string, number]>(`SELECT created, ext, id ${from} LIMIT ?`).raw();
  return rows.all(...values, max).map(([created, ext, id]) => [[created, ext], id]);
}

/** Rows of all items, without those that a page skips. */
function readIds(
  context: SearchContext,
  order: Order,
  after: SortKey | undefined,
  { skip, max }: { readonly skip: number; readonly max: number },
): readonly number[] {
  const end = skip + max;
  return after === undefined ? firstIdsOf(context, order, end).slice(skip, end) : readFrom(context, order, after, max);
}

/** The first rows of all, as many as wanted or more: pages by number walk over those before them. */
function firstIdsOf(context: SearchContext, order: Order, wanted: number): readonly number[] {
  const { generation, cache } = context;
  const name = order.by === "title" ? `first by title ${order.lang}` : `first by ${order.by}`;
  const known = findUntilWrite<readonly number[]>(context, name);
  if (known !== undefined && (known.length >= wanted || known.length === generation.count)) return known;
  const ids = readFrom(context, order, undefined, Math.max(wanted, 2 * (known?.length ?? 0)));
  keepUntilWrite({ generation, cache }, name, ids, ids.length * ID_BYTES);
  return ids;
}

function readFrom({ generation }: SearchContext, order: Order, after: SortKey | undefined, max: number): number[] {
  const { from, values } = inOrder(order, after);
  const statement = generation.sql<number>(`SELECT id ${from} LIMIT ?`).pluck();
  return statement.all(...values, max);
}
