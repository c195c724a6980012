import type { CountedFacet } from "../../../query/facet-kinds/declared-facets.js";
import { bucketKey, hasRanges, type KeyedBuckets } from "../../../query/facet-kinds/facet-kinds.js";
import type { LeafValue } from "../../../query/index-model/leaves.js";
import { type ListedBuckets, listBelow, listTop } from "../../../query/index-model/list-buckets.js";
import { type FacetCounter, type FacetTally, largestKeys, leavesAt, type ParentInTree } from "./facet-counter.js";

/** Makes the counter of a kind whose keys are in the index: texts, or ranges of dates. */
export function makeKeyCounter<Buckets extends KeyedBuckets>(prefix: string): FacetCounter<Buckets> {
  return {
    holds: "keys",
    needsAll: false,
    fieldPrefix: () => prefix,
    contentOf: (buckets, paths, { leaves }) => new Set(keysOf(buckets, paths, leaves).map((key) => key.toWellFormed())),
    termKeys: keysOf,
    aggregate(_, field, wanted, size) {
      const keys = wanted.keys.map((key) => key.toWellFormed());
      const named = keys.length === 0 ? {} : { named: { terms: { field, size: keys.length, include: keys } } };
      return { keys: largestKeys(field, size), ...named };
    },
    readCounts(_, { keys }, __, { counts }) {
      for (const { key, doc_count } of keys?.buckets ?? []) counts.set(key, doc_count);
    },
    list: listKeys,
  };
}

function keysOf(buckets: KeyedBuckets, paths: readonly string[], leaves: readonly LeafValue[]): readonly string[] {
  const counted = leavesAt(paths, leaves);
  if (!hasRanges(buckets)) return counted.flatMap(({ keyword }) => keyword ?? []);
  return counted.flatMap(({ number }) => (number === undefined ? [] : bucketKey(buckets, number)));
}

/** Lists the largest buckets and the selected ones, or those that the request names. */
export function listKeys(facet: CountedFacet, tally: FacetTally, parentOf: ParentInTree): ListedBuckets {
  const { size, selected, listed } = facet;
  const { counts, sum } = tally;
  if (listed !== undefined) return listSome(facet, listed, tally, { parentOf, unlisted: [] });
  const { buckets, other } = listTop(counts, size, selected);
  // Hits without a key in the answer are not listed either.
  const listedCount = [...counts.values()].reduce((all, count) => all + count, 0);
  return { buckets, other: other + sum - listedCount };
}

/** Lists the buckets that a request names. */
export function listSome(
  { size }: CountedFacet,
  listed: NonNullable<CountedFacet["listed"]>,
  { counts }: FacetTally,
  tree: { readonly parentOf: ParentInTree; readonly unlisted: readonly string[] },
): ListedBuckets {
  if ("keys" in listed) return listTop(new Map(listed.keys.map((key) => [key, counts.get(key) ?? 0])), size, []);
  return listBelow({ counts, ...tree }, listed.below, size);
}
