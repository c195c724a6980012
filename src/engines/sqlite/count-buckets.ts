import { both, either, idsOf, NO_ROWS, type Rows, without } from "./rows.js";
import type { FacetColumn, Tally } from "./tally.js";

/** @returns how many hits each bucket of the tally has; a hit counts once, however many of its keys count there */
export function countBuckets(columns: readonly FacetColumn[], hits: Rows, tally: Tally): Int32Array {
  const several = columns.length < 2 ? NO_ROWS : inSeveral(columns, hits);
  const alone = without(hits, several);
  const seen = columns.map(({ column }) => column.countSets(alone));
  return tally.count(
    seen,
    Array.from(idsOf(several), (hit) => columns.map(({ column }) => column.setOf(hit))),
  );
}

/** Hits with keys in more than one column: two may have the same text, and so the same bucket, for one hit. */
function inSeveral(columns: readonly FacetColumn[], hits: Rows): Rows {
  let [once, again] = [NO_ROWS, NO_ROWS];
  for (const { column } of columns) {
    const having = both(hits, column.ownersOf(new Uint8Array(column.sets.size).fill(1, 1)));
    again = either(again, both(once, having));
    once = either(once, having);
  }
  return again;
}
