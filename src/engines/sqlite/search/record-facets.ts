import type { FacetCounts } from "../../../ports/search-index.js";
import { type FacetBuckets, facetClause } from "../../../query/index-model/buckets.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { keyToken } from "../../../query/index-model/record-tokens.js";
import { type DocIdSet, rangesOf, toIds } from "../bitmaps/doc-id-set.js";
import { type CachedView, getAll, type Snapshot } from "../cache/snapshot-cache.js";
import { bucketColumn } from "../doc-values/histogram-column.js";
import { ordinalColumn } from "../doc-values/ordinal-column.js";
import { phrase } from "../documents/fts-expression.js";
import type { ValueDictionary } from "../documents/value-dictionary.js";
import { type CounterContext, countFacet } from "../facets/count-facet.js";
import type { FacetColumn } from "../facets/facet-counter.js";
import { EVERYTHING } from "../plan/plan.js";
import { type CompileContext, compileQuery } from "./compile-query.js";
import { isFew } from "./leaf-sets.js";
import { phrasesPlan, type RecordPlan } from "./record-plan.js";

/** What a facet lets through. */
export function filterPlan(
  { buckets, paths, selected }: CountedFacet,
  context: CompileContext,
  keys: ValueDictionary,
): RecordPlan {
  if (selected.length === 0) return EVERYTHING;
  if (buckets.kind !== "terms")
    return compileQuery(facetClause(buckets, paths, selected) ?? { kind: "everything" }, context);
  const known = paths.map(context.idOf).filter((path) => path !== undefined);
  const found = selected.flatMap((value) => keys.find(known, value));
  return phrasesPlan(found.map((key) => phrase([keyToken(key)])));
}

export interface RecordFacetContext extends CounterContext {
  readonly keys: ValueDictionary;
  readonly snapshot: Snapshot;
  /** Id of a path, undefined where no record holds it. */
  idOf(path: string): number | undefined;
}

/**
 * Counts each facet over the hits of all filters but its own.
 * @param filters those of the facets, in their order
 */
export function countRecordFacets(
  facets: readonly CountedFacet[],
  filters: readonly RecordPlan[],
  hits: DocIdSet,
  hitsOf: (filters: readonly RecordPlan[]) => DocIdSet,
  context: RecordFacetContext,
): FacetCounts[] {
  const counted = [...facets.entries()].filter(([, { size }]) => size > 0);
  return getAll(counted, ([i, facet]) => {
    const others = facet.selected.length === 0 ? hits : hitsOf(filters.filter((_, j) => j !== i));
    const few = isFew(others, context.snapshot) ? others : undefined;
    const paths = facet.paths.map(context.idOf).filter((path) => path !== undefined);
    const columns = getAll(paths, (path) => columnOf(facet.buckets, path, few, context));
    return countFacet(facet, others, { columns, owners: "records", areFew: few !== undefined }, context);
  });
}

/** @param few only the values of these are wanted */
function columnOf(
  buckets: FacetBuckets,
  path: number,
  few: DocIdSet | undefined,
  { snapshot, keys }: RecordFacetContext,
): FacetColumn {
  const columnAt = <T>(view: CachedView<T>): T =>
    few === undefined ? snapshot.get(view) : snapshot.getWithin(view, rangesOf(toIds(few)));
  if (buckets.kind === "terms" || buckets.kind === "tree") {
    return { column: columnAt(ordinalColumn(path, "records")), nameOf: keys.textOf };
  }
  const { column, names } = columnAt(bucketColumn(path, buckets));
  return { column, nameOf: (key) => names.all[key]! };
}
