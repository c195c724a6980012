import type { Page, ValueSort } from "../../../ports/search-index.js";
import { readValueKey, type SortKey, type ValuedPlace, valueKey } from "../../../query/ranking/sort-keys.js";
import { andNot, type DocIdSet, lastIds, rangesOf, toIds } from "../bitmaps/doc-id-set.js";
import type { Snapshot } from "../cache/snapshot-cache.js";
import { EVERY_NUMBER, extremeColumn, type NumericColumn, ownersBetween } from "../doc-values/numeric-column.js";
import { inValueOrder } from "../doc-values/value-order.js";
import { isFew } from "./leaf-sets.js";

/** The rows of one page; `next` where others follow. */
export interface TakenPage {
  readonly rows: readonly number[];
  readonly next?: SortKey;
}

interface ValueContext {
  readonly snapshot: Snapshot;
  /** Id of a path, undefined where no record holds it. */
  idOf(path: string): number | undefined;
}

/** One page of hits in the order of a number. @throws CacheMiss */
export function valuedPage(page: Page, { by, first }: ValueSort, hits: DocIdSet, context: ValueContext): TakenPage {
  const after = "after" in page && page.after !== null ? readValueKey(page.after) : undefined;
  const skip = "offset" in page ? page.offset : 0;
  const paths = by.map(context.idOf).filter((path) => path !== undefined);
  const column = columnOf(paths, first, hits, context);
  // One more than wanted tells whether anything follows.
  const wanted = skip + page.limit + 1;
  const found: ValuedPlace[] = [];
  for (const place of placesAfter(hits, column, { first, after, limit: wanted })) {
    found.push(place);
    if (found.length === wanted) break;
  }
  const taken = found.slice(skip, skip + page.limit);
  const last = taken.at(-1);
  const next = found.length < wanted || last === undefined ? {} : { next: valueKey(last) };
  return { rows: taken.map(({ row }) => row), ...next };
}

const NO_NUMBERS: NumericColumn = {
  ...{ owners: new Uint32Array(), values: new Float64Array(), end: 0, gone: [] },
  delta: { owners: [], values: [] },
};

function columnOf(
  paths: readonly number[],
  first: ValueSort["first"],
  hits: DocIdSet,
  { snapshot }: ValueContext,
): NumericColumn {
  if (paths.length === 0) return NO_NUMBERS;
  const view = extremeColumn(paths, first);
  return isFew(hits, snapshot) ? snapshot.getWithin(view, rangesOf(toIds(hits))) : snapshot.get(view);
}

interface Wanted extends Pick<ValueSort, "first"> {
  readonly after: ValuedPlace | undefined;
  readonly limit: number;
}

function* placesAfter(hits: DocIdSet, column: NumericColumn, { first, after, limit }: Wanted): Generator<ValuedPlace> {
  const { value, row } = after ?? {};
  if (row === undefined || value !== undefined) {
    const from = row === undefined || value === undefined ? undefined : { id: row, value };
    for (const { id, value } of inValueOrder(column, hits, first === "largest", from)) yield { value, row: id };
  }
  const others = andNot(hits, ownersBetween(column, EVERY_NUMBER));
  const below = row === undefined || value !== undefined ? Number.POSITIVE_INFINITY : row;
  for (const id of lastIds(others, below, limit)) yield { row: id };
}
