import type { FacetCounts } from "../../../ports/search-index.js";
import type { CountedFacet } from "../../../query/facet-kinds/declared-facets.js";
import { selectedRanges } from "../../../query/facet-kinds/facet-kinds.js";
import { withRanges } from "../../../query/index-model/list-buckets.js";
import { counterOf } from "../facets/counters.js";
import type { FacetTally, ParentInTree } from "../facets/facet-counter.js";

/** Lists the buckets of a facet. @param edges of equal steps; undefined: there was nothing to count */
export function listFacet(
  facet: CountedFacet,
  tally: FacetTally,
  parentOf: ParentInTree,
  edges?: readonly number[],
): FacetCounts {
  const { name, buckets, selected } = facet;
  const ranges = selectedRanges(buckets, selected);
  const keys = selected.filter((key) => !ranges.includes(key));
  const listed = counterOf(buckets).list({ ...facet, selected: keys }, tally, parentOf, edges);
  const rangeCounts = ranges.map((key) => ({ key, count: tally.ranges.get(key) ?? 0 }));
  const { min, max } = tally.extremes ?? {};
  return { name, ...withRanges(listed, rangeCounts), ...(min === undefined || max === undefined ? {} : { min, max }) };
}
