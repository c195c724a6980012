import { lowerBoundOfValue, upperBoundOfValue } from "../bitmaps/binary-search.js";
import { asBitmap, contains, type DocIdSet, removeRanges } from "../bitmaps/doc-id-set.js";
import type { NumericColumn } from "./numeric-column.js";

/** A record among the hits, with the number that it is sorted by. */
interface Valued {
  readonly id: number;
  readonly value: number;
}

/**
 * The hits that have a number, the smallest (or the largest) first; of those with the same one the newest first.
 * @param column with one number for each record
 * @param after begins behind this hit
 */
export function* inValueOrder(
  column: NumericColumn,
  hits: DocIdSet,
  isLargestFirst: boolean,
  after?: Valued,
): Generator<Valued> {
  const order = (a: Valued, b: Valued): number =>
    (isLargestFirst ? b.value - a.value : a.value - b.value) || b.id - a.id;
  const { delta, gone } = column;
  const late = delta.owners
    .map((id, i): Valued => ({ id, value: delta.values[i]! }))
    .filter((one) => contains(hits, one.id) && (after === undefined || order(one, after) > 0))
    .sort(order);
  const sorted = asBitmap(removeRanges(hits, gone));
  let next = 0;
  const steps = isLargestFirst ? fromLargest(column, after?.value) : fromSmallest(column, after?.value);
  for (const one of steps) {
    if (!contains(sorted, one.id) || (after !== undefined && order(one, after) <= 0)) continue;
    for (; next < late.length && order(late[next]!, one) < 0; next++) yield late[next]!;
    yield one;
  }
  yield* late.slice(next);
}

/** Equal numbers stand in the order of rows: the newest of them is the last. */
function* fromSmallest({ owners, values }: NumericColumn, from = Number.NEGATIVE_INFINITY): Generator<Valued> {
  for (let start = lowerBoundOfValue(values, from); start < values.length; ) {
    const value = values[start]!;
    let end = start + 1;
    while (end < values.length && values[end] === value) end++;
    for (let i = end - 1; i >= start; i--) yield { id: owners[i]!, value };
    start = end;
  }
}

function* fromLargest({ owners, values }: NumericColumn, from = Number.POSITIVE_INFINITY): Generator<Valued> {
  for (let i = upperBoundOfValue(values, from) - 1; i >= 0; i--) yield { id: owners[i]!, value: values[i]! };
}
