/** The index answers for the records that it has, the overlay for those that changed since: together they are all. */
import { leastOf } from "../../../core/arrays.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { stepEdges } from "../../../query/index-model/steps.js";
import type { JudgedFacet } from "../overlay/judge-records.js";
import type { comparePlaces, RecordPlace } from "../query/record-places.js";
import type { Extremes, FacetTally } from "../query/record-question.js";

/** The extremes of both; undefined where neither has any. */
export function mergeExtremes(a: Extremes | undefined, b: Extremes | undefined): Extremes | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const above = [a.aboveZero, b.aboveZero].filter((number) => number !== undefined);
  const aboveZero = above.length === 0 ? {} : { aboveZero: leastOf(above) };
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max), ...aboveZero };
}

/** The extremes of the numbers of some records. */
export function extremesAmong(numbers: JudgedFacet["numbers"]): Extremes | undefined {
  return numbers.flat().reduce<Extremes | undefined>((found, number) => {
    const one = { min: number, max: number, ...(number > 0 ? { aboveZero: number } : {}) };
    return mergeExtremes(found, one);
  }, undefined);
}

/** The edges of the steps of a facet; undefined where there is nothing to count. */
export function edgesOf({ buckets }: CountedFacet, extremes: Extremes | undefined): readonly number[] | undefined {
  if (buckets.kind !== "steps" || extremes === undefined) return undefined;
  const { min, max, aboveZero } = extremes;
  return stepEdges(buckets, { smallest: (buckets.scale === "log" ? aboveZero : undefined) ?? min, largest: max });
}

/** What a facet counts in both. @param counts of the overlay, by bucket */
export function mergeTally(tally: FacetTally, judged: JudgedFacet, counts: ReadonlyMap<string, number>): FacetTally {
  const merged = new Map(tally.counts);
  let { sum } = tally;
  for (const [key, count] of counts) {
    merged.set(key, (merged.get(key) ?? 0) + count);
    sum += count;
  }
  const ranges = new Map(tally.ranges);
  for (const [key, count] of judged.ranges) ranges.set(key, (ranges.get(key) ?? 0) + count);
  const extremes = mergeExtremes(tally.extremes, extremesAmong(judged.numbers));
  return { counts: merged, sum, parents: tally.parents, ranges, ...(extremes === undefined ? {} : { extremes }) };
}

/** Two lists that are in order, as one. */
export function mergePlaces(
  some: readonly RecordPlace[],
  others: readonly RecordPlace[],
  compare: ReturnType<typeof comparePlaces>,
): readonly RecordPlace[] {
  if (others.length === 0) return some;
  return [...some, ...others].sort(compare);
}
