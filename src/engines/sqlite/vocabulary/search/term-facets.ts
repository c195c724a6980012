import type { FacetCounts } from "../../../../ports/search-index.js";
import type { CountedFacet } from "../../../../query/facet-kinds/declared-facets.js";
import { facetClause, hasRanges } from "../../../../query/facet-kinds/facet-kinds.js";
import { cardinality, intersect, MATCH_NONE, type MatchSet, matching } from "../../bitmaps/doc-id-set.js";
import { HitNumbers } from "../../doc-values/hit-numbers.js";
import { type CounterContext, countFacet, type FacetValuesSource } from "../../facets/count-facet.js";
import { facetColumn, numberColumn, rowsWithKeys } from "./facet-column.js";
import { liveAmong } from "./live-docs.js";
import { matchClause } from "./match-clause.js";
import type { SearchContext } from "./search-context.js";

/** Returns the rows that have a selected value of a facet; undefined if nothing is selected. */
export function facetFilter(context: SearchContext, facet: CountedFacet): MatchSet | undefined {
  const { buckets, paths, selected } = facet;
  if (selected.length === 0) return undefined;
  if (hasRanges(buckets)) {
    const clause = facetClause(buckets, paths, selected);
    return clause && matchClause(context, clause);
  }
  return matching(rowsWithKeys(context, { paths, buckets }, selected));
}

/** Counts each facet over the rows that pass the filters of all other facets. */
export function countTermFacets(
  context: SearchContext,
  rows: MatchSet,
  facets: readonly CountedFacet[],
  counters: CounterContext,
): FacetCounts[] {
  const filters = facets.map((facet) => facetFilter(context, facet));
  return facets.flatMap((facet, i) => {
    if (facet.size === 0) return [];
    const otherFilters = filters.filter((filter, j) => j !== i && filter !== undefined) as MatchSet[];
    const countedRows = liveAmong(context, otherFilters.reduce(intersect, rows));
    const source: FacetValuesSource = {
      columns: (buckets) => ({
        columns: [facetColumn(context, { ...facet, buckets })],
        owners: `terms ${context.generation.g}`,
      }),
      numbers: () =>
        new HitNumbers(
          facet.paths.map((path) => numberColumn(context, path)),
          countedRows,
        ),
      countRange: (key) => {
        const inRange = facetFilter(context, { ...facet, selected: [key] }) ?? MATCH_NONE;
        return cardinality(liveAmong(context, intersect(matching(countedRows), inRange)));
      },
    };
    return [countFacet(facet, countedRows, source, counters)];
  });
}
