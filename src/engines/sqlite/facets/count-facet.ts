import type { Cache } from "../../../core/caches.js";
import type { FacetCounts } from "../../../ports/search-index.js";
import { type FacetBuckets, type KeyedBuckets, selectedRanges } from "../../../query/index-model/buckets.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { listSteps, stepEdges } from "../../../query/index-model/histogram-steps.js";
import { type ListedBuckets, withRanges } from "../../../query/index-model/list-buckets.js";
import { and, andNot, type DocIdSet, EMPTY_SET, or, toIds } from "../bitmaps/doc-id-set.js";
import type { Db } from "../connection/database.js";
import type { HitNumbers } from "../doc-values/hit-numbers.js";
import { currentGeneration } from "../vocabulary/store/generation.js";
import type { Lineage } from "../vocabulary/store/lineage.js";
import { type FacetColumn, FacetCounter } from "./facet-counter.js";
import { listCounts, listSome, listTreeCounts } from "./top-buckets.js";

export interface CounterContext {
  readonly db: Db;
  readonly lineage: Lineage;
  readonly cache: Cache;
}

/** The values that a facet counts, one column for each path. */
interface FacetColumns {
  readonly columns: readonly FacetColumn[];
  /** Owners of the columns, for cache keys. */
  readonly owners: string;
  /** Whether the columns may be those of a few hits only, which are not cached. */
  readonly areFew?: boolean;
}

/** Source of the values that a facet counts. They are read only as far as its kind needs them. */
export interface FacetValuesSource {
  columns(buckets: KeyedBuckets): FacetColumns;
  /** Returns the numbers of a histogram. */
  numbers(): HitNumbers;
  /** Returns the number of hits in a selected range. */
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
    return { name, ...withRanges(countSteps(buckets, numbers), ranges), ...findExtremes(numbers) };
  }
  const keys = selected.filter((key) => !ranges.some((range) => range.key === key));
  const listed = countKeys({ ...request, buckets, selected: keys }, hits, source.columns(buckets), context);
  return { name, ...withRanges(listed, ranges), ...(buckets.kind === "bins" ? findExtremes(source.numbers()) : {}) };
}

function findExtremes(numbers: HitNumbers): Pick<FacetCounts, "min" | "max"> {
  const [min, max] = [numbers.smallest(), numbers.largest()];
  return min === undefined || max === undefined ? {} : { min, max };
}

function countSteps(steps: FacetBuckets & { readonly kind: "steps" }, numbers: HitNumbers): ListedBuckets {
  const smallestPositive = steps.scale === "log" ? numbers.smallest(0) : undefined;
  const [smallest, largest] = [smallestPositive ?? numbers.smallest(), numbers.largest()];
  if (smallest === undefined || largest === undefined) return { buckets: [], other: 0 };
  const edges = stepEdges(steps, { smallest, largest });
  const [below = 0, ...counts] = numbers.countSteps([Number.NEGATIVE_INFINITY, ...edges]);
  return listSteps(edges, counts, below);
}

type KeyedFacet = CountedFacet & { readonly buckets: KeyedBuckets };

function countKeys(request: KeyedFacet, hits: DocIdSet, values: FacetColumns, context: CounterContext): ListedBuckets {
  const { buckets } = request;
  const counter = getCounter(request, values, context);
  const counts = countBuckets(values.columns, hits, counter);
  if (request.listed !== undefined) return listSome(request.listed, request, counts, counter);
  if (buckets.kind !== "tree") return listCounts(counts, counter, request);
  const ancestorsOf = (ids: readonly string[]) => context.lineage.ancestorsOf(buckets.vocabulary, ids);
  return listTreeCounts(counts, counter, { ...request, unlisted: buckets.unlisted }, ancestorsOf);
}

function getCounter(
  { buckets, paths }: KeyedFacet,
  { columns, owners, areFew = false }: FacetColumns,
  { db, lineage, cache }: CounterContext,
): FacetCounter {
  const generation = buckets.kind === "tree" ? currentGeneration(db, buckets.vocabulary) : undefined;
  const state = `${generation?.g} ${generation?.writes}`;
  const key = `counter ${owners} ${JSON.stringify([buckets, paths])}`;
  const cached = cache.get<{ readonly state: string; readonly counter: FacetCounter }>(key);
  if (cached?.state === state && cached.counter.isOf(columns)) {
    if (cached.counter.extend(columns)) cache.set(key, cached, cached.counter.bytes);
    return cached.counter;
  }
  const counter = new FacetCounter(buckets, columns, lineage);
  if (!areFew) cache.set(key, { state, counter }, counter.bytes);
  return counter;
}

/**
 * Returns the number of hits in each bucket. A hit counts once, regardless of how many of its keys are in the bucket.
 */
export function countBuckets(columns: readonly FacetColumn[], hits: DocIdSet, counter: FacetCounter): Int32Array {
  const multiColumnHits = columns.length < 2 ? EMPTY_SET : hitsInSeveralColumns(columns, hits);
  const singleColumnHits = andNot(hits, multiColumnHits);
  const setCounts = columns.map(({ column }) => column.countSets(singleColumnHits));
  return counter.count(
    setCounts,
    Array.from(toIds(multiColumnHits), (hit) => columns.map(({ column }) => column.setOf(hit))),
  );
}

/** Returns the hits with keys in more than one column, because two keys of a hit may belong to the same bucket. */
function hitsInSeveralColumns(columns: readonly FacetColumn[], hits: DocIdSet): DocIdSet {
  let [once, again] = [EMPTY_SET, EMPTY_SET];
  for (const { column } of columns) {
    const owners = and(hits, column.ownersOf(new Uint8Array(column.sets.size).fill(1, 1)));
    again = or(again, and(once, owners));
    once = or(once, owners);
  }
  return again;
}

/** Counts that all pages of one search share. They cost most of the search, because every hit is visited. */
interface Counts {
  readonly total: number;
  readonly facets: readonly FacetCounts[];
}

/** Counts of recent searches, each valid until the store changes. */
export interface CountCache {
  /**
   * Returns the counts of a search, from the cache if possible.
   * @param search everything but the page that the counts depend on, and what is searched: records or terms
   * @param state names the state of the searched data
   */
  get(search: unknown, state: string, count: () => Counts): Counts;
}

/** Bytes of a bucket with its key; a high estimate for the usual ones. */
const BUCKET_BYTES = 150;

export function makeCountCache(cache: Cache): CountCache {
  return {
    get(search, state, count) {
      const key = JSON.stringify(search);
      const cached = cache.get<{ readonly state: string; readonly counts: Counts }>(key);
      if (cached?.state === state) return cached.counts;
      const counts = count();
      const buckets = counts.facets.reduce((sum, facet) => sum + facet.buckets.length, 0);
      cache.set(key, { state, counts }, buckets * BUCKET_BYTES);
      return counts;
    },
  };
}
