import type { FacetCounts, FacetRequest } from "../../../ports/search-index.js";
import { termLeaves } from "../../../query/term-leaves.js";
import { intersect, lowerBound, makeBits, type RowSet, union, unsortedSet } from "./row-set.js";
import { compareBytes } from "./static-order.js";
import { valueKeys } from "./term-keys.js";
import { rowsById } from "./term-reader.js";
import { contentOf } from "./term-row.js";
import { allRows, type SearchContext } from "./term-search.js";

/** The rows that a facet lets through; undefined where it does not filter. */
export function facetFilter({ generation }: SearchContext, facet: FacetRequest): RowSet | undefined {
  if (facet.selected.length === 0) return undefined;
  const rows = generation.sql<number>("SELECT id FROM val_$g WHERE path = ? AND value = ?").pluck();
  const ids = facet.paths.flatMap((path) =>
    facet.selected.flatMap((key) => [...rows.all(path, key), ...(isNumber(key) ? rows.all(path, Number(key)) : [])]),
  );
  return unsortedSet(ids);
}

/** Rows by key of a facet: each ascending. Made once for each generation; rows written later are not in it. */
export type Columns = Map<string, ReadonlyMap<string, Uint32Array>>;

/**
 * Counts each facet over the rows that all other facets let through.
 * @param columns what was read before, kept by the caller for as long as the generation is current
 */
export function countFacets(
  context: SearchContext,
  rows: RowSet,
  facets: readonly FacetRequest[],
  columns: Columns,
): FacetCounts[] {
  const filters = facets.map((facet) => facetFilter(context, facet));
  return facets.flatMap((facet, i) => {
    if (facet.size === 0) return [];
    const others = filters.filter((filter, j) => j !== i && filter !== undefined) as RowSet[];
    const counted = others.reduce(intersect, rows);
    return [bucketsOf(facet, countKeys(context, counted, facet.paths, columns))];
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

function countKeys(
  context: SearchContext,
  rows: RowSet,
  paths: readonly string[],
  columns: Columns,
): ReadonlyMap<string, number> {
  const { generation } = context;
  const counts = new Map<string, number>();
  if (rows.except && rows.ids.length === 0 && generation.writes === 0) {
    for (const [key, column] of columnOf(context, paths, columns)) counts.set(key, column.length);
    return counts;
  }
  const ids = rows.except ? intersect({ ids: allRows(context), except: false }, rows).ids : rows.ids;
  const isIn = makeBits(ids);
  for (const [key, column] of columnOf(context, paths, columns)) {
    let count = 0;
    for (const id of column) if (isIn(id)) count += 1;
    counts.set(key, count);
  }
  const late = ids.subarray(lowerBound(ids, generation.ranked + 1));
  if (late.length > 0) countLate(context, late, paths, counts);
  return counts;
}

function columnOf(
  context: SearchContext,
  paths: readonly string[],
  columns: Columns,
): ReadonlyMap<string, Uint32Array> {
  const { generation, checkTime } = context;
  const name = JSON.stringify([generation.g, paths]);
  const known = columns.get(name);
  if (known !== undefined) return known;
  const made = new Map<string, RowSet>();
  for (const path of paths) {
    const keys = generation.sql<string | number>("SELECT DISTINCT value FROM val_$g WHERE path = ?").pluck().all(path);
    const ranked = generation
      .sql<number>("SELECT id FROM val_$g WHERE path = ? AND value = ? AND id <= ? ORDER BY id")
      .pluck();
    for (const key of keys) {
      checkTime();
      const ids = unsortedSet(ranked.all(path, key, generation.ranked));
      const other = made.get(String(key));
      made.set(String(key), other === undefined ? ids : union(other, ids));
    }
  }
  const column = new Map([...made].map(([key, set]) => [key, set.ids]));
  columns.set(name, column);
  return column;
}

/** Rows above the ranked ones: few, and new ones with each write. */
function countLate(
  { generation, vocabulary }: SearchContext,
  late: Uint32Array,
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
