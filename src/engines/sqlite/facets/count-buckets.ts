import { and, andNot, type DocIdSet, EMPTY_SET, or, toIds } from "../bitmaps/doc-id-set.js";
import type { FacetColumn, FacetCounter } from "./facet-counter.js";

/** @returns how many hits each bucket of the counter has; a hit counts once, however many of its keys count there */
export function countBuckets(columns: readonly FacetColumn[], hits: DocIdSet, counter: FacetCounter): Int32Array {
  const several = columns.length < 2 ? EMPTY_SET : inSeveral(columns, hits);
  const alone = andNot(hits, several);
  const seen = columns.map(({ column }) => column.countSets(alone));
  return counter.count(
    seen,
    Array.from(toIds(several), (hit) => columns.map(({ column }) => column.setOf(hit))),
  );
}

/** Hits with keys in more than one column: two may have the same text, and so the same bucket, for one hit. */
function inSeveral(columns: readonly FacetColumn[], hits: DocIdSet): DocIdSet {
  let [once, again] = [EMPTY_SET, EMPTY_SET];
  for (const { column } of columns) {
    const having = and(hits, column.ownersOf(new Uint8Array(column.sets.size).fill(1, 1)));
    again = or(again, and(once, having));
    once = or(once, having);
  }
  return again;
}
