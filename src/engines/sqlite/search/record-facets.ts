import type { FacetCounts } from "../../../ports/search-index.js";
import { facetClause, type KeyedBuckets } from "../../../query/index-model/buckets.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { keyToken } from "../../../query/index-model/record-tokens.js";
import { cardinality, type DocIdSet, rangesOf, toIds } from "../bitmaps/doc-id-set.js";
import { type CachedView, getAll, type Snapshot } from "../cache/snapshot-cache.js";
import { bucketColumn } from "../doc-values/histogram-column.js";
import { HitNumbers } from "../doc-values/hit-numbers.js";
import { numericColumn } from "../doc-values/numeric-column.js";
import { ordinalColumn } from "../doc-values/ordinal-column.js";
import { phrase } from "../documents/fts-expression.js";
import type { ValueDictionary } from "../documents/value-dictionary.js";
import { type CounterContext, countFacet, type FacetValuesSource } from "../facets/count-facet.js";
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

/** What filters. */
interface FacetFilters {
  /** What a facet lets through. */
  planOf(facet: CountedFacet): RecordPlan;
  /** The hits of some filters. */
  hitsOf(filters: readonly RecordPlan[]): DocIdSet;
}

/** Counts each facet over the hits of all filters but its own. */
export function countRecordFacets(
  facets: readonly CountedFacet[],
  hits: DocIdSet,
  { planOf, hitsOf }: FacetFilters,
  context: RecordFacetContext,
): FacetCounts[] {
  const counted = facets.filter(({ size }) => size > 0);
  return getAll(counted, (facet) => {
    const filters = facets.filter((other) => other !== facet).map(planOf);
    const others = facet.selected.length === 0 ? hits : hitsOf(filters);
    const few = isFew(others, context.snapshot) ? others : undefined;
    const columnAt = <T>(view: CachedView<T>): T =>
      few === undefined ? context.snapshot.get(view) : context.snapshot.getWithin(view, rangesOf(toIds(few)));
    const paths = facet.paths.map(context.idOf).filter((path) => path !== undefined);
    const source: FacetValuesSource = {
      columns: (buckets) => ({
        columns: getAll(paths, (path) => columnOf(buckets, path, columnAt, context)),
        ...{ owners: "records", areFew: few !== undefined },
      }),
      numbers: () =>
        new HitNumbers(
          getAll(paths, (path) => columnAt(numericColumn(path, "records"))),
          others,
        ),
      countRange: (key) => cardinality(hitsOf([...filters, planOf({ ...facet, selected: [key] })])),
    };
    return countFacet(facet, others, source, context);
  });
}

function columnOf(
  buckets: KeyedBuckets,
  path: number,
  columnAt: <T>(view: CachedView<T>) => T,
  { keys }: RecordFacetContext,
): FacetColumn {
  if (buckets.kind === "terms" || buckets.kind === "tree") {
    return { column: columnAt(ordinalColumn(path, "records")), nameOf: keys.textOf };
  }
  const { column, names } = columnAt(bucketColumn(path, buckets));
  return { column, nameOf: (key) => names.all[key]! };
}
