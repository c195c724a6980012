import type { Cache } from "../../../core/caches.js";
import {
  type BucketsOfKind,
  type FacetBuckets,
  type FacetKindName,
  isStepped,
  type KeyedBuckets,
  selectedRanges,
} from "../../../core/catalog/facet-kinds/facet-kinds.js";
import type { HistogramBuckets, StepBuckets } from "../../../core/catalog/facet-kinds/histogram.js";
import { listSteps, stepEdges } from "../../../core/catalog/facet-kinds/histogram.js";
import type { TreeBuckets } from "../../../core/catalog/facet-kinds/tree.js";
import type { FacetCounts } from "../../../ports/search-index.js";
import type { CountedFacet } from "../../../query/facets/declared-facets.js";
import { type ListedBuckets, withRanges } from "../../../query/index-model/list-buckets.js";
import { type DocIdSet, EMPTY_SET, intersectSets, subtractSet, toIds, uniteSets } from "../bitmaps/doc-id-set.js";
import type { Db } from "../connection/database.js";
import type { HitNumbers } from "../doc-values/numeric-column.js";
import { currentGeneration } from "../vocabulary/store/generation.js";
import type { Lineage } from "../vocabulary/store/lineage.js";
import { type FacetColumn, FacetCounter } from "./facet-counter.js";
import { listCounts, listSome, listTreeCounts } from "./top-buckets.js";

/** The connection, the hierarchies and the cache that counters use. */
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

/** Requested facet, with the selected keys that are buckets, and with the values of the hits. */
interface Counting<Buckets> {
  readonly facet: CountedFacet & { readonly buckets: Buckets };
  readonly hits: DocIdSet;
  readonly source: FacetValuesSource;
  readonly context: CounterContext;
}

/** Counter of a kind of facet. */
interface KindCounter<Buckets> {
  /** Lists buckets with the number of hits in each, and the extremes of counted numbers. */
  count(counting: Counting<Buckets>): Omit<FacetCounts, "name">;
}

const COUNTERS: { readonly [Kind in FacetKindName]: KindCounter<BucketsOfKind<Kind>> } = {
  terms: { count: countKeys },
  tree: { count: countTree },
  year: { count: countKeys },
  histogram: { count: countNumbers },
};

const kindCounter = ({ kind }: FacetBuckets): KindCounter<FacetBuckets> => COUNTERS[kind];

/** Counts one facet over the hits, each hit once per bucket. */
export function countFacet(
  request: CountedFacet,
  hits: DocIdSet,
  source: FacetValuesSource,
  context: CounterContext,
): FacetCounts {
  const { name, buckets, selected } = request;
  const ranges = selectedRanges(buckets, selected).map((key) => ({ key, count: source.countRange(key) }));
  const keys = selected.filter((key) => !ranges.some((range) => range.key === key));
  const facet = { ...request, selected: keys };
  const { buckets: listed, other, ...extremes } = kindCounter(buckets).count({ facet, hits, source, context });
  return { name, ...withRanges({ buckets: listed, other }, ranges), ...extremes };
}

/** Counts texts, or the ranges of dates or numbers. */
function countKeys({ facet, hits, source, context }: Counting<KeyedBuckets>): ListedBuckets {
  const values = source.columns(facet.buckets);
  const counter = getCounter(facet, values, context);
  const counts = countBuckets(values.columns, hits, counter);
  return facet.listed === undefined
    ? listCounts(counts, counter, facet)
    : listSome(facet.listed, facet, counts, counter);
}

/** Counts terms and their ancestors. */
function countTree({ facet, hits, source, context }: Counting<TreeBuckets>): ListedBuckets {
  const { vocabulary, unlisted } = facet.buckets;
  const values = source.columns(facet.buckets);
  const counter = getCounter(facet, values, context, vocabulary);
  const counts = countBuckets(values.columns, hits, counter);
  if (facet.listed !== undefined) return listSome(facet.listed, { ...facet, unlisted }, counts, counter);
  const findAncestors = (ids: readonly string[]) => context.lineage.findAncestors(vocabulary, ids);
  return listTreeCounts(counts, counter, { size: facet.size, selected: facet.selected, unlisted }, findAncestors);
}

/** Counts numbers in bins or in equal steps. */
function countNumbers({ facet, ...counting }: Counting<HistogramBuckets>): Omit<FacetCounts, "name"> {
  const { buckets } = facet;
  const { source } = counting;
  if (!isStepped(buckets)) {
    const listed = countKeys({ ...counting, facet: { ...facet, buckets } });
    return { ...listed, ...findExtremes(source.numbers()) };
  }
  const numbers = source.numbers();
  return { ...countSteps(buckets, numbers), ...findExtremes(numbers) };
}

function findExtremes(numbers: HitNumbers): Pick<FacetCounts, "min" | "max"> {
  const [min, max] = [numbers.smallest(), numbers.largest()];
  return min === undefined || max === undefined ? {} : { min, max };
}

function countSteps(steps: StepBuckets, numbers: HitNumbers): ListedBuckets {
  const smallestPositive = steps.scale === "log" ? numbers.smallest(0) : undefined;
  const [smallest, largest] = [smallestPositive ?? numbers.smallest(), numbers.largest()];
  if (smallest === undefined || largest === undefined) return { buckets: [], other: 0 };
  const edges = stepEdges(steps, { smallest, largest });
  const [below = 0, ...counts] = numbers.countSteps([Number.NEGATIVE_INFINITY, ...edges]);
  return listSteps(edges, counts, below);
}

/** Returns the counter of a facet. @param vocabulary of a tree */
function getCounter(
  { buckets, paths }: CountedFacet,
  { columns, owners, areFew = false }: FacetColumns,
  { db, lineage, cache }: CounterContext,
  vocabulary?: string,
): FacetCounter {
  const generation = vocabulary === undefined ? undefined : currentGeneration(db, vocabulary);
  const state = `${generation?.g} ${generation?.writes}`;
  const key = `counter ${owners} ${JSON.stringify([buckets, paths])}`;
  const cached = cache.get<{ readonly state: string; readonly counter: FacetCounter }>(key);
  if (cached?.state === state && cached.counter.isOf(columns)) {
    if (cached.counter.extend(columns)) cache.set(key, cached, cached.counter.bytes);
    return cached.counter;
  }
  const counter = new FacetCounter(vocabulary, columns, lineage);
  if (!areFew) cache.set(key, { state, counter }, counter.bytes);
  return counter;
}

/**
 * Returns the number of hits in each bucket. A hit counts once, regardless of how many of its keys are in the bucket.
 */
export function countBuckets(columns: readonly FacetColumn[], hits: DocIdSet, counter: FacetCounter): Int32Array {
  const multiColumnHits = columns.length < 2 ? EMPTY_SET : hitsInSeveralColumns(columns, hits);
  const singleColumnHits = subtractSet(hits, multiColumnHits);
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
    const owners = intersectSets(hits, column.ownersOf(new Uint8Array(column.sets.size).fill(1, 1)));
    again = uniteSets(again, intersectSets(once, owners));
    once = uniteSets(once, owners);
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

/** Makes a cache of counts. */
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
