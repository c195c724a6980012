import type { FacetCounts } from "../../../ports/search-index.js";
import { binKeys, selectedRanges } from "../../../query/index-model/buckets.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { listSteps } from "../../../query/index-model/histogram-steps.js";
import {
  type ListedBuckets,
  type ListedKeys,
  listBelow,
  listTop,
  listTree,
  withRanges,
} from "../../../query/index-model/list-buckets.js";
import type { FacetTally } from "../query/facet-aggregations.js";

/** Returns the parent of a term in the tree that a facet counts. */
export type ParentOf = (id: string) => string | undefined;

/** Lists the buckets of a facet. @param edges of equal steps; undefined: there was nothing to count */
export function listFacet(
  facet: CountedFacet,
  tally: FacetTally,
  parentOf: ParentOf,
  edges?: readonly number[],
): FacetCounts {
  const { name, buckets, selected } = facet;
  const ranges = selectedRanges(buckets, selected);
  const keys = selected.filter((key) => !ranges.includes(key));
  const listed =
    buckets.kind === "steps" ? listEqualSteps(tally, edges) : listKeys({ ...facet, selected: keys }, tally, parentOf);
  const listedBuckets = withRanges(
    listed,
    ranges.map((key) => ({ key, count: tally.ranges.get(key) ?? 0 })),
  );
  const { min, max } = tally.extremes ?? {};
  const hasNumbers = buckets.kind === "steps" || buckets.kind === "bins";
  return { name, ...listedBuckets, ...(hasNumbers && min !== undefined && max !== undefined ? { min, max } : {}) };
}

/** Lists equal steps. The first bucket has what is below all steps. */
function listEqualSteps({ counts }: FacetTally, edges: readonly number[] | undefined): ListedBuckets {
  if (edges === undefined) return { buckets: [], other: 0 };
  const [below = 0, ...stepCounts] = binKeys(edges).map((key) => counts.get(key) ?? 0);
  return listSteps(edges, stepCounts, below);
}

function listKeys(facet: CountedFacet, tally: FacetTally, parentOf: ParentOf): ListedBuckets {
  const { buckets, size, selected, listed } = facet;
  if (listed !== undefined) return listSome(listed, facet, tally, parentOf);
  const { counts, sum } = tally;
  if (buckets.kind === "tree") {
    return listTree({ counts, parentOf, unlisted: buckets.unlisted ?? [] }, size, selected);
  }
  const { buckets: listedBuckets, other } = listTop(counts, size, selected);
  // Hits without a key in the answer are not listed either.
  const listedCount = [...counts.values()].reduce((all, count) => all + count, 0);
  return { buckets: listedBuckets, other: other + sum - listedCount };
}

function listSome(
  listed: ListedKeys,
  { buckets, size }: CountedFacet,
  { counts }: FacetTally,
  parentOf: ParentOf,
): ListedBuckets {
  if ("keys" in listed) return listTop(new Map(listed.keys.map((key) => [key, counts.get(key) ?? 0])), size, []);
  const unlisted = buckets.kind === "tree" ? (buckets.unlisted ?? []) : [];
  return listBelow({ counts, parentOf, unlisted }, listed.below, size);
}
