import type { FacetCounts, FacetRequest } from "../../../ports/search-index.js";
import type { FacetBuckets } from "../../../query/index-model/buckets.js";
import { cardinality, type DocIdSet, rangesOf, toIds } from "../bitmaps/doc-id-set.js";
import type { LruCache } from "../cache/lru-cache.js";
import { allOrMiss, type CachedView, CacheMiss, type Snapshot } from "../cache/snapshot-cache.js";
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
  readonly memory: LruCache;
  readonly looking: Snapshot;
  /** Id of a path, undefined where no record holds it. */
  idOf(path: string): number | undefined;
}

/** Hits whose values are looked for one by one where no column is kept. */
const FEW_HITS = 200;

/** Counts one facet over the hits, each record once per bucket. */
export function countFacet(request: FacetRequest, hits: DocIdSet, context: FacetContext): FacetCounts | CacheMiss {
  const { name, buckets } = request;
  const paths = request.paths.map(context.idOf).filter((path) => path !== undefined);
  const columns = allOrMiss(paths.map((path) => columnOf(buckets, path, hits, context)));
  if (columns instanceof CacheMiss) return columns;
  const tally = tallyOf(request, columns, cardinality(hits) <= FEW_HITS, context);
  const counts = countBuckets(columns, hits, tally);
  if (buckets.kind !== "tree") return { name, ...listCounts(counts, tally, request) };
  const ancestorsOf = (ids: readonly string[]) => context.lineage.ancestorsOf(buckets.vocabulary, ids);
  return { name, ...listTreeCounts(counts, tally, { ...request, unlisted: buckets.unlisted }, ancestorsOf) };
}

function columnOf(
  buckets: FacetBuckets,
  path: number,
  hits: DocIdSet,
  { looking, keys }: FacetContext,
): FacetColumn | CacheMiss {
  const columnAt = <T>(thing: CachedView<T>): T | CacheMiss =>
    cardinality(hits) <= FEW_HITS ? looking.getWithin(thing, rangesOf(toIds(hits))) : looking.get(thing);
  if (buckets.kind === "terms" || buckets.kind === "tree") {
    const column = columnAt(ordinalColumn(path, "records"));
    return column instanceof CacheMiss ? column : { column, nameOf: keys.textOf };
  }
  const found = columnAt(bucketColumn(path, buckets));
  return found instanceof CacheMiss ? found : { column: found.column, nameOf: (key) => found.names.all[key]! };
}

/** The buckets of a facet; what is made for the columns of a few hits is not kept. */
function tallyOf(
  { buckets, paths }: FacetRequest,
  columns: readonly FacetColumn[],
  isForFew: boolean,
  { db, lineage, memory }: FacetContext,
): FacetCounter {
  const generation = buckets.kind === "tree" ? currentGeneration(db, buckets.vocabulary) : undefined;
  const state = `${generation?.g} ${generation?.writes}`;
  const key = `tally ${JSON.stringify([buckets, paths])}`;
  const kept = memory.get<{ readonly state: string; readonly tally: FacetCounter }>(key);
  if (kept?.state === state && kept.tally.isOf(columns)) {
    if (kept.tally.extend(columns)) memory.set(key, kept, kept.tally.bytes);
    return kept.tally;
  }
  const tally = new FacetCounter(buckets, columns, lineage);
  if (!isForFew) memory.set(key, { state, tally }, tally.bytes);
  return tally;
}
