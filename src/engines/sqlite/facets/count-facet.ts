import type { FacetCounts } from "../../../ports/search-index.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import type { DocIdSet } from "../bitmaps/doc-id-set.js";
import type { LruCache } from "../cache/lru-cache.js";
import type { Db } from "../connection/database.js";
import { currentGeneration } from "../vocabulary/store/generation.js";
import type { Lineage } from "../vocabulary/store/lineage.js";
import { countBuckets } from "./count-buckets.js";
import { type FacetColumn, FacetCounter } from "./facet-counter.js";
import { listCounts, listTreeCounts } from "./top-buckets.js";

export interface CounterContext {
  readonly db: Db;
  readonly lineage: Lineage;
  readonly cache: LruCache;
}

/** The values that a facet counts, one column for each path. */
export interface FacetColumns {
  readonly columns: readonly FacetColumn[];
  /** Whose columns they are, in keys of the cache. */
  readonly owners: string;
  /** The columns may be of a few hits only: nothing is kept of them. */
  readonly areFew?: boolean;
}

/** Counts one facet over the hits, each hit once per bucket. */
export function countFacet(
  request: CountedFacet,
  hits: DocIdSet,
  values: FacetColumns,
  context: CounterContext,
): FacetCounts {
  const { name, buckets } = request;
  const counter = counterOf(request, values, context);
  const counts = countBuckets(values.columns, hits, counter);
  if (buckets.kind !== "tree") return { name, ...listCounts(counts, counter, request) };
  const ancestorsOf = (ids: readonly string[]) => context.lineage.ancestorsOf(buckets.vocabulary, ids);
  return { name, ...listTreeCounts(counts, counter, { ...request, unlisted: buckets.unlisted }, ancestorsOf) };
}

function counterOf(
  { buckets, paths }: CountedFacet,
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
