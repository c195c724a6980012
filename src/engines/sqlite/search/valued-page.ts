import type { Page, ValueSort } from "../../../ports/search-index.js";
import { readValueKey, type SortKey, type ValuedPlace, valueKey } from "../../../query/ranking/sort-keys.js";
import { andNot, type DocIdSet, lastIds, rangesOf, toIds } from "../bitmaps/doc-id-set.js";
import type { Snapshot } from "../cache/snapshot-cache.js";
import {
  EVERY_NUMBER,
  extremeColumn,
  inValueOrder,
  type NumericColumn,
  ownersBetween,
} from "../doc-values/numeric-column.js";
import { isFew } from "./leaf-sets.js";

/** Rows of one page; `next` is set if more follow. */
export interface TakenPage {
  readonly rows: readonly number[];
  readonly next?: SortKey | undefined;
}

interface ValueContext {
  readonly snapshot: Snapshot;
  /** Returns the number of a path, undefined if no record has it. */
  idOf(path: string): number | undefined;
}

/** Returns one page of hits in the order of a number. @throws MissingParts */
export function valuedPage(page: Page, { by, first }: ValueSort, hits: DocIdSet, context: ValueContext): TakenPage {
  const after = "after" in page && page.after !== null ? readValueKey(page.after) : undefined;
  const skip = "offset" in page ? page.offset : 0;
  const paths = by.map(context.idOf).filter((path) => path !== undefined);
  const column = sortColumn(paths, first, hits, context);
  // One row more than requested tells whether more follow.
  const rowsNeeded = skip + page.limit + 1;
  const places: ValuedPlace[] = [];
  for (const place of placesAfter(hits, column, { first, after, limit: rowsNeeded })) {
    places.push(place);
    if (places.length === rowsNeeded) break;
  }
  const pagePlaces = places.slice(skip, skip + page.limit);
  const last = pagePlaces.at(-1);
  const next = places.length < rowsNeeded || last === undefined ? undefined : valueKey(last);
  return { rows: pagePlaces.map(({ row }) => row), next };
}

const NO_NUMBERS: NumericColumn = {
  owners: new Uint32Array(),
  values: new Float64Array(),
  end: 0,
  gone: [],
  delta: { owners: [], values: [] },
};

function sortColumn(
  paths: readonly number[],
  first: ValueSort["first"],
  hits: DocIdSet,
  { snapshot }: ValueContext,
): NumericColumn {
  if (paths.length === 0) return NO_NUMBERS;
  const view = extremeColumn(paths, first);
  return isFew(hits, snapshot) ? snapshot.getWithin(view, rangesOf(toIds(hits))) : snapshot.get(view);
}

interface PlaceWindow extends Pick<ValueSort, "first"> {
  readonly after: ValuedPlace | undefined;
  readonly limit: number;
}

function* placesAfter(
  hits: DocIdSet,
  column: NumericColumn,
  { first, after, limit }: PlaceWindow,
): Generator<ValuedPlace> {
  const { value, row } = after ?? {};
  if (row === undefined || value !== undefined) {
    const from = row === undefined || value === undefined ? undefined : { id: row, value };
    for (const { id, value } of inValueOrder(column, hits, first === "largest", from)) yield { value, row: id };
  }
  const unvalued = andNot(hits, ownersBetween(column, EVERY_NUMBER));
  const below = row === undefined || value !== undefined ? Number.POSITIVE_INFINITY : row;
  for (const id of lastIds(unvalued, below, limit)) yield { row: id };
}
