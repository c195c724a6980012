import type { FacetCounts } from "../../../ports/search-index.js";
import { type FacetBuckets, type KeyedBuckets, selectedRanges } from "../../../query/index-model/buckets.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { type ListedBuckets, withRanges } from "../../../query/index-model/list-buckets.js";
import { listSteps, stepEdges } from "../../../query/index-model/steps.js";
import type { DocIdSet } from "../bitmaps/doc-id-set.js";
import type { LruCache } from "../cache/lru-cache.js";
import type { Db } from "../connection/database.js";
import type { HitNumbers } from "../doc-values/hit-numbers.js";
import { currentGeneration } from "../vocabulary/store/generation.js";
import type { Lineage } from "../vocabulary/store/lineage.js";
import { countBuckets } from "./count-buckets.js";
import { type FacetColumn, FacetCounter } from "./facet-counter.js";
import { listCounts, listSome, listTreeCounts } from "./top-buckets.js";

export interface CounterContext {
  readonly db: Db;
  readonly lineage: Lineage;
  readonly cache: LruCache;
}

/** The values that a facet counts, one column for each path. */
interface FacetColumns {
  readonly columns: readonly FacetColumn[];
  /** Whose columns they are, in keys of the cache. */
  readonly owners: string;
  /** The columns may be of a few hits only: nothing is kept of them. */
  readonly areFew?: boolean;
}

/** Where what a facet counts is found: read only as far as its kind needs it. */
export interface FacetValuesSource {
  columns(buckets: KeyedBuckets): FacetColumns;
  /** The numbers of a histogram. */
  numbers(): HitNumbers;
  /** How many hits lie in a range that is selected. */
  countRange(key: string): number;
}

/** Counts one facet over the hits, each hit once per bucket. */
export function countFacet(
  request: CountedFacet,
  hits: DocIdSet,
  source: FacetValuesSource,
  context: CounterContext,
): FacetCounts {
  const { name, buckets, selected } = request;
  const ranges = selectedRanges(buckets, selected).map((key) => ({ key, count: source.countRange(key) }));
  if (buckets.kind === "steps") {
    const numbers = source.numbers();
    return { name, ...withRanges(countSteps(buckets, numbers), ranges), ...extremesOf(numbers) };
  }
  const keys = selected.filter((key) => !ranges.some((range) => range.key === key));
  const listed = countKeys({ ...request, buckets, selected: keys }, hits, source.columns(buckets), context);
  return { name, ...withRanges(listed, ranges), ...(buckets.kind === "bins" ? extremesOf(source.numbers()) : {}) };
}

function extremesOf(numbers: HitNumbers): Pick<FacetCounts, "min" | "max"> {
  const [min, max] = [numbers.smallest(), numbers.largest()];
  return min === undefined || max === undefined ? {} : { min, max };
}

function countSteps(steps: FacetBuckets & { readonly kind: "steps" }, numbers: HitNumbers): ListedBuckets {
  const above = steps.scale === "log" ? numbers.smallest(0) : undefined;
  const [smallest, largest] = [above ?? numbers.smallest(), numbers.largest()];
  if (smallest === undefined || largest === undefined) return { buckets: [], other: 0 };
  const edges = stepEdges(steps, { smallest, largest });
  const [below = 0, ...counts] = numbers.countSteps([Number.NEGATIVE_INFINITY, ...edges]);
  return listSteps(edges, counts, below);
}

type KeyedFacet = CountedFacet & { readonly buckets: KeyedBuckets };

function countKeys(request: KeyedFacet, hits: DocIdSet, values: FacetColumns, context: CounterContext): ListedBuckets {
  const { buckets } = request;
  const counter = counterOf(request, values, context);
  const counts = countBuckets(values.columns, hits, counter);
  if (request.listed !== undefined) return listSome(request.listed, request, counts, counter);
  if (buckets.kind !== "tree") return listCounts(counts, counter, request);
  const ancestorsOf = (ids: readonly string[]) => context.lineage.ancestorsOf(buckets.vocabulary, ids);
  return listTreeCounts(counts, counter, { ...request, unlisted: buckets.unlisted }, ancestorsOf);
}

function counterOf(
  { buckets, paths }: KeyedFacet,
  { columns, owners, areFew = false }: FacetColumns,
  { db, lineage, cache }: CounterContext,
): FacetCounter {
  const generation = buckets.kind === "tree" ? currentGeneration(db, buckets.vocabulary) : undefined;
  const state = `${generation?.g} ${generation?.writes}`;
  const key = `counter ${owners} ${JSON.stringify([buckets, paths])}`;
  const kept = cache.get<{ readonly state: string; readonly counter: FacetCounter }>(key);
  if (kept?.state === state && kept.counter.isOf(columns)) {
    if (kept.counter.extend(columns)) cache.set(key, kept, kept.counter.bytes);
    return kept.counter;
  }
  const counter = new FacetCounter(buckets, columns, lineage);
  if (!areFew) cache.set(key, { state, counter }, counter.bytes);
  return counter;
}
