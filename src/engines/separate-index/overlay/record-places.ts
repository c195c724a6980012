import { fail } from "../../../core/errors.js";
import type { PageWindow, RecordSearch, ValueSort } from "../../../ports/search-index.js";
import type { SortKey } from "../../../query/ranking/sort-keys.js";

/** The position of a hit in its order. */
export interface RecordPlace {
  readonly id: string;
  readonly state: "draft" | "published";
  /** See `creationOrder`. */
  readonly order: bigint;
  /** The step of `bestmatch`; 0 in other orders. */
  readonly step: number;
  /** The number that the hits are sorted by; undefined if the record has none. */
  readonly value?: number | undefined;
}

/** The members of a place that its position depends on. */
export type PlaceKey = Pick<RecordPlace, "order" | "step" | "value">;

type Sort = RecordSearch["sort"];

/** Number of rows that `creationOrder` distinguishes within one microsecond. */
const ROWS = 1_024;

/**
 * Returns the number by which `newest` sorts: it rises with the time of creation, and within one microsecond with the
 * row. Rows alone do not rise with the time if several nodes write at once. It is one number because sorting by two
 * fields takes longer (decision 0049). It fits into 64 bits until the year 2255.
 * @param created microseconds since 1970 UTC; NaN in a damaged record, which counts as the oldest
 */
export const creationOrder = (created: number, row: number): bigint =>
  BigInt(Number.isSafeInteger(created) ? Math.max(created, 0) : 0) * BigInt(ROWS) + BigInt(row % ROWS);

/** The largest signed number of 64 bits. */
const ORDER_MAX = 2n ** 63n - 1n;

/** Returns the comparison of an order: negative if the first place precedes the second one. */
export function comparePlaces(sort: Sort): (a: PlaceKey, b: PlaceKey) => number {
  if (sort === "oldest") return (a, b) => newestFirst(b, a);
  if (typeof sort === "string") return (a, b) => a.step - b.step || newestFirst(a, b);
  return (a, b) => compareValues(sort, a.value, b.value) || newestFirst(a, b);
}

const newestFirst = (a: PlaceKey, b: PlaceKey): number => Number(a.order < b.order) - Number(a.order > b.order);

/** Records without a number come last. */
function compareValues({ first }: ValueSort, a: number | undefined, b: number | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return first === "smallest" ? a - b : b - a;
}

/** Returns the key of a place, which a cursor carries. `readPlaceKey` reads it. */
export function writePlaceKey({ order, step, value }: PlaceKey, sort: Sort): SortKey {
  const age = String(order);
  if (sort === "bestmatch") return [step, age];
  if (typeof sort === "string") return [age];
  return value === undefined ? [1, age] : [0, value, age];
}

/** @throws BinderyError CURSOR_INVALID */
function readPlaceKey(key: SortKey, sort: Sort): PlaceKey {
  const [first, value] = key.slice(0, -1);
  const place = { order: readOrder(key.at(-1)), step: 0 };
  if (typeof sort !== "string") {
    if (first === 0 && typeof value === "number" && key.length === 3) return { ...place, value };
    if (first === 1 && key.length === 2) return place;
  } else if (sort === "bestmatch") {
    if (Number.isSafeInteger(first) && key.length === 2) return { ...place, step: Number(first) };
  } else if (key.length === 1) return place;
  throw fail("CURSOR_INVALID", { issues: [] });
}

function readOrder(text: string | number | undefined): bigint {
  const order = typeof text === "string" && /^\d{1,19}$/.test(text) ? BigInt(text) : ORDER_MAX + 1n;
  if (order > ORDER_MAX) throw fail("CURSOR_INVALID", { issues: [] });
  return order;
}

/** Returns the place after which a page begins, or undefined for the first page. @throws CURSOR_INVALID */
export function placeBefore(page: PageWindow, sort: Sort): PlaceKey | undefined {
  return "after" in page && page.after !== null ? readPlaceKey(page.after, sort) : undefined;
}
