import type { FacetCounts, FacetRequest } from "../../../ports/search-index.js";
import { termLeaves } from "../../../query/term-leaves.js";
import { found, intersect, type RowSet } from "../row-set.js";
import { firstRows, type Rows, rowsOfAny } from "../rows.js";
import { countKeys, facetColumn } from "./facet-column.js";
import { liveAmong } from "./live-rows.js";
import { compareBytes } from "./static-order.js";
import { valueKeys } from "./term-keys.js";
import { rowsById } from "./term-reader.js";
import { contentOf } from "./term-row.js";
import type { SearchContext } from "./term-search.js";

/** The rows that a facet lets through; undefined where it does not filter. */
export function facetFilter({ generation }: SearchContext, facet: FacetRequest): RowSet | undefined {
  if (facet.selected.length === 0) return undefined;
  const rows = generation.sql<number>("SELECT id FROM val_$g WHERE path = ? AND value = ?").pluck();
  const ids = facet.paths.flatMap((path) =>
    facet.selected.flatMap((key) => [...rows.all(path, key), ...(isNumber(key) ? rows.all(path, Number(key)) : [])]),
  );
  return found(rowsOfAny(ids));
}

/** Counts each facet over the rows that all other facets let through. */
export function countFacets(context: SearchContext, rows: RowSet, facets: readonly FacetRequest[]): FacetCounts[] {
  const filters = facets.map((facet) => facetFilter(context, facet));
  return facets.flatMap((facet, i) => {
    if (facet.size === 0) return [];
    const others = filters.filter((filter, j) => j !== i && filter !== undefined) as RowSet[];
    const counted = liveAmong(context, others.reduce(intersect, rows));
    return [bucketsOf(facet, countValues(context, counted, facet.paths))];
  });
}

function bucketsOf(facet: FacetRequest, counts: ReadonlyMap<string, number>): FacetCounts {
  const sorted = [...counts].filter(([, count]) => count > 0).sort((a, b) => b[1] - a[1] || compareBytes(a[0], b[0]));
  const listed = sorted.slice(0, facet.size);
  const names = new Set(listed.map(([key]) => key));
  for (const key of new Set(facet.selected)) if (!names.has(key)) listed.push([key, counts.get(key) ?? 0]);
  listed.sort((a, b) => b[1] - a[1] || compareBytes(a[0], b[0]));
  const sum = (entries: readonly (readonly [string, number])[]): number =>
    entries.reduce((n, [, count]) => n + count, 0);
  return {
    name: facet.name,
    buckets: listed.map(([key, count]) => ({ key, count })),
    other: sum(sorted) - sum(listed),
  };
}

function countValues(context: SearchContext, rows: Rows, paths: readonly string[]): ReadonlyMap<string, number> {
  const column = facetColumn(context, paths);
  const numbers = countKeys(column, rows);
  const counts = new Map(column.keys.map((key, i) => [key, numbers[i + 1]!]));
  const late = firstRows(rows, context.generation.ranked, Number.POSITIVE_INFINITY);
  if (late.length > 0) countLate(context, late, paths, counts);
  return counts;
}

/** Rows above the ranked ones: few, and new ones with each write. */
function countLate(
  { generation, vocabulary }: SearchContext,
  late: readonly number[],
  paths: readonly string[],
  counts: Map<string, number>,
): void {
  for (const row of rowsById(generation, late)) {
    const values = valueKeys(termLeaves(contentOf(row), vocabulary), vocabulary);
    const keys = new Set(values.filter(([path]) => paths.includes(path)).map(([, value]) => String(value)));
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
}

function isNumber(key: string): boolean {
  return key.trim() !== "" && Number.isFinite(Number(key));
}
