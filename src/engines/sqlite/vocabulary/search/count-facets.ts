import { contentOf } from "../../../../core/terms/term-row.js";
import type { FacetCounts } from "../../../../ports/search-index.js";
import { facetClause } from "../../../../query/index-model/buckets.js";
import type { CountedFacet } from "../../../../query/index-model/declared-facets.js";
import { listTop } from "../../../../query/index-model/list-buckets.js";
import { valueKeys } from "../../../../query/index-model/term-keys.js";
import { termLeaves } from "../../../../query/index-model/term-leaves.js";
import { type DocIdSet, firstIds, setOf } from "../../bitmaps/doc-id-set.js";
import { intersect, type MatchSet, matching } from "../../bitmaps/match-set.js";
import { rowsById } from "../store/term-reader.js";
import { countKeys, facetColumn, keyIn } from "./facet-column.js";
import { liveAmong } from "./live-docs.js";
import { matchClause } from "./match-clause.js";
import type { SearchContext } from "./search-context.js";

/** The rows that a facet lets through; undefined where it does not filter. */
export function facetFilter(context: SearchContext, facet: CountedFacet): MatchSet | undefined {
  const { buckets, paths, selected } = facet;
  if (selected.length === 0) return undefined;
  if (buckets.kind === "year" || buckets.kind === "bins") {
    const clause = facetClause(buckets, paths, selected);
    return clause && matchClause(context, clause);
  }
  const rows = context.generation.sql<number>("SELECT id FROM val_$g WHERE path = ? AND value = ?").pluck();
  const ids = paths.flatMap((path) =>
    selected.flatMap((key) => [...rows.all(path, key), ...(isNumber(key) ? rows.all(path, Number(key)) : [])]),
  );
  return matching(setOf(ids));
}

/** Counts each facet over the rows that all other facets let through. */
export function countFacets(context: SearchContext, rows: MatchSet, facets: readonly CountedFacet[]): FacetCounts[] {
  const filters = facets.map((facet) => facetFilter(context, facet));
  return facets.flatMap((facet, i) => {
    if (facet.size === 0) return [];
    const others = filters.filter((filter, j) => j !== i && filter !== undefined) as MatchSet[];
    const counted = liveAmong(context, others.reduce(intersect, rows));
    return [{ name: facet.name, ...listTop(countValues(context, counted, facet), facet.size, facet.selected) }];
  });
}

function countValues(context: SearchContext, rows: DocIdSet, facet: CountedFacet): ReadonlyMap<string, number> {
  const column = facetColumn(context, facet);
  const numbers = countKeys(column, rows);
  const counts = new Map(column.keys.map((key, i) => [key, numbers[i + 1]!]));
  const delta = firstIds(rows, context.generation.ranked, Number.POSITIVE_INFINITY);
  if (delta.length > 0) countDelta(context, delta, facet, counts);
  return counts;
}

/** Rows above the ranked ones: few, and new ones with each write. */
function countDelta(
  { generation, vocabulary }: SearchContext,
  delta: readonly number[],
  { paths, buckets }: CountedFacet,
  counts: Map<string, number>,
): void {
  for (const row of rowsById(generation, delta)) {
    const values = valueKeys(termLeaves(contentOf(row), vocabulary), vocabulary);
    const keys = values.flatMap(([path, value]) => (paths.includes(path) ? (keyIn(buckets, value) ?? []) : []));
    for (const key of new Set(keys)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}

function isNumber(key: string): boolean {
  return key.trim() !== "" && Number.isFinite(Number(key));
}
