import type { FacetCounts } from "../../../ports/search-index.js";
import type { FacetBuckets } from "../../../query/index-model/buckets.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { cardinality, type DocIdSet, rangesOf, toIds } from "../bitmaps/doc-id-set.js";
import type { LruCache } from "../cache/lru-cache.js";
import { type CachedView, getAll, type Snapshot } from "../cache/snapshot-cache.js";
import type { Db } from "../connection/database.js";
import { bucketColumn } from "../doc-values/histogram-column.js";
import { ordinalColumn } from "../doc-values/ordinal-column.js";
import type { ValueDictionary } from "../documents/value-dictionary.js";
import { currentGeneration } from "../vocabulary/store/generation.js";
import type { Lineage } from "../vocabulary/store/lineage.js";
import { countBuckets } from "./count-buckets.js";
import { type FacetColumn, FacetCounter } from "./facet-counter.js";
import { listCounts, listTreeCounts } from "./top-buckets.js";

export interface FacetContext {
  readonly db: Db;
  readonly keys: ValueDictionary;
  readonly lineage: Lineage;
  readonly cache: LruCache;
  readonly snapshot: Snapshot;
  /** Id of a path, undefined where no record holds it. */
  idOf(path: string): number | undefined;
}

/** Hits whose values are looked for one by one where no column is cached. */
const FEW_HITS = 200;

/** Counts one facet over the hits, each record once per bucket. */
export function countFacet(request: CountedFacet, hits: DocIdSet, context: FacetContext): FacetCounts {
  const { name, buckets } = request;
  const paths = request.paths.map(context.idOf).filter((path) => path !== undefined);
  const columns = getAll(paths, (path) => columnOf(buckets, path, hits, context));
  const counter = counterOf(request, columns, cardinality(hits) <= FEW_HITS, context);
  const counts = countBuckets(columns, hits, counter);
  if (buckets.kind !== "tree") return { name, ...listCounts(counts, counter, request) };
  const ancestorsOf = (ids: readonly string[]) => context.lineage.ancestorsOf(buckets.vocabulary, ids);
  return { name, ...listTreeCounts(counts, counter, { ...request, unlisted: buckets.unlisted }, ancestorsOf) };
}

function columnOf(buckets: FacetBuckets, path: number, hits: DocIdSet, { snapshot, keys }: FacetContext): FacetColumn {
  const columnAt = <T>(view: CachedView<T>): T =>
    cardinality(hits) <= FEW_HITS ? snapshot.getWithin(view, rangesOf(toIds(hits))) : snapshot.get(view);
  if (buckets.kind === "terms" || buckets.kind === "tree") {
    return { column: columnAt(ordinalColumn(path, "records")), nameOf: keys.textOf };
  }
  const { column, names } = columnAt(bucketColumn(path, buckets));
  return { column, nameOf: (key) => names.all[key]! };
}

/** The buckets of a facet; what is made for the columns of a few hits is not kept. */
function counterOf(
  { buckets, paths }: CountedFacet,
  columns: readonly FacetColumn[],
  isForFew: boolean,
  { db, lineage, cache }: FacetContext,
): FacetCounter {
  const generation = buckets.kind === "tree" ? currentGeneration(db, buckets.vocabulary) : undefined;
  const state = `${generation?.g} ${generation?.writes}`;
  const key = `counter ${JSON.stringify([buckets, paths])}`;
  const kept = cache.get<{ readonly state: string; readonly counter: FacetCounter }>(key);
  if (kept?.state === state && kept.counter.isOf(columns)) {
    if (kept.counter.extend(columns)) cache.set(key, kept, kept.counter.bytes);
    return kept.counter;
  }
  const counter = new FacetCounter(buckets, columns, lineage);
  if (!isForFew) cache.set(key, { state, counter }, counter.bytes);
  return counter;
}
