import { fail } from "../../../core/errors.js";
import type { Titles } from "../../../core/term.js";
import type { Page, SortKey } from "../../../ports/search-index.js";
import type { RowPage } from "./ranked-page.js";
import { makeBits, type RowSet } from "./row-set.js";
import { compareBytes } from "./static-order.js";
import { titleKey } from "./term-keys.js";
import { rowsById } from "./term-reader.js";
import type { SearchContext } from "./term-search.js";

/** Orders by what an item is, not by how well it matches. */
export type Order = { readonly by: "title"; readonly lang: string } | { readonly by: "newest" | "oldest" };

/** Up to so many rows are read and sorted; of more the order is walked until the page is full. */
const SORTED_ROWS_MAX = 1_000;

/** Entries of an order that are read in one go. */
const ENTRIES_AT_ONCE = 5_000;

/** An entry of an order: its key, whole, and its row. */
type Entry = readonly [key: SortKey, id: number];

export function sortedPage(context: SearchContext, rows: RowSet, order: Order, page: Page): RowPage {
  const after = "after" in page && page.after !== null ? readKey(order, page.after) : undefined;
  const skip = "offset" in page ? page.offset : 0;
  const wanted = skip + page.limit + 1;
  const few = !rows.except && rows.ids.length <= SORTED_ROWS_MAX;
  const entries = few ? sortRows(context, rows.ids, order, after) : walkOrder(context, rows, order, after, wanted);
  const shown = entries.slice(skip, skip + page.limit);
  const last = shown.at(-1);
  const ids = shown.map(([, id]) => id);
  return entries.length > skip + page.limit && last !== undefined ? { ids, next: last[0] } : { ids };
}

function sortRows(context: SearchContext, ids: Uint32Array, order: Order, after: SortKey | undefined): Entry[] {
  const { generation, vocabulary } = context;
  const entries = rowsById(generation, ids).map(({ id, ext, created, title }): Entry => {
    if (order.by !== "title") return [[created, ext], id];
    return [[titleKey({ id: ext, title: JSON.parse(title) as Titles }, order.lang, vocabulary)], id];
  });
  const sign = order.by === "newest" ? -1 : 1;
  const compare = (a: SortKey, b: SortKey): number => sign * compareKeys(a, b);
  entries.sort((a, b) => compare(a[0], b[0]));
  return after === undefined ? entries : entries.filter(([key]) => compare(key, after) > 0);
}

function compareKeys(a: SortKey, b: SortKey): number {
  for (const [i, x] of a.entries()) {
    const y = b[i]!;
    const order = typeof x === "number" ? x - Number(y) : compareBytes(x, String(y));
    if (order !== 0) return order;
  }
  return 0;
}

function walkOrder(
  context: SearchContext,
  rows: RowSet,
  order: Order,
  after: SortKey | undefined,
  wanted: number,
): Entry[] {
  const isIn = makeBits(rows.ids);
  const found: Entry[] = [];
  let last = after;
  for (;;) {
    const few = rows.except ? Math.min(ENTRIES_AT_ONCE, wanted - found.length + rows.ids.length) : ENTRIES_AT_ONCE;
    const entries = readEntries(context, order, last, few);
    for (const entry of entries) {
      if (isIn(entry[1]) !== rows.except) found.push(entry);
      if (found.length === wanted) return found;
    }
    if (entries.length < few) return found;
    last = entries.at(-1)![0];
    context.checkTime();
  }
}

/** Below and above every `created`, in microseconds. */
const FIRST = -1;
const LAST = Number.MAX_SAFE_INTEGER;

function readEntries({ generation }: SearchContext, order: Order, after: SortKey | undefined, max: number): Entry[] {
  if (order.by === "title") {
    const rows = generation
      .sql<[string, number]>("SELECT key, id FROM title_$g WHERE lang = ? AND key > ? ORDER BY key LIMIT ?")
      .raw()
      .all(order.lang, after?.[0] ?? "", max);
    return rows.map(([key, id]) => [[key], id]);
  }
  const down = order.by === "newest";
  const rows = generation
    .sql<[number, string, number]>(
      down
        ? `SELECT created, ext, id FROM created_$g WHERE (created, ext) < (?, ?)
           ORDER BY created DESC, ext DESC LIMIT ?`
        : "SELECT created, ext, id FROM created_$g WHERE (created, ext) > (?, ?) ORDER BY created, ext LIMIT ?",
    )
    .raw()
    .all(...(after ?? [down ? LAST : FIRST, ""]), max);
  return rows.map(([created, ext, id]) => [[created, ext], id]);
}

function readKey(order: Order, key: SortKey): SortKey {
  const types = key.map((part) => typeof part).join(" ");
  if (types !== (order.by === "title" ? "string" : "number string")) throw fail("CURSOR_INVALID", { issues: [] });
  return key;
}
