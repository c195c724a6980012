import type { FacetCounts, FacetRequest } from "../../ports/search-index.js";
import type { FacetBuckets } from "../../query/buckets.js";
import { bucketColumn } from "./bucket-column.js";
import { countBuckets } from "./count-buckets.js";
import type { Db } from "./database.js";
import { keyColumn } from "./key-column.js";
import type { Keys } from "./keys.js";
import { listCounts, listTreeCounts } from "./list-facet.js";
import { allOrMissing, type Looking, Missing, type Thing } from "./looking.js";
import type { Memory } from "./memory.js";
import { rangesOf } from "./record-level.js";
import { countRows, idsOf, type Rows } from "./rows.js";
import { type FacetColumn, Tally } from "./tally.js";
import { currentGeneration } from "./terms/generation.js";
import type { Lineage } from "./terms/lineage.js";

export interface FacetContext {
  readonly db: Db;
  readonly keys: Keys;
  readonly lineage: Lineage;
  readonly memory: Memory;
  readonly looking: Looking;
  /** Id of a path, undefined where no record holds it. */
  idOf(path: string): number | undefined;
}

/** Hits whose values are looked for one by one where no column is kept. */
const FEW_HITS = 200;

/** Counts one facet over the hits, each record once per bucket. */
export function countFacet(request: FacetRequest, hits: Rows, context: FacetContext): FacetCounts | Missing {
  const { name, buckets } = request;
  const paths = request.paths.map(context.idOf).filter((path) => path !== undefined);
  const columns = allOrMissing(paths.map((path) => columnOf(buckets, path, hits, context)));
  if (columns instanceof Missing) return columns;
  const tally = tallyOf(request, columns, countRows(hits) <= FEW_HITS, context);
  const counts = countBuckets(columns, hits, tally);
  if (buckets.kind !== "tree") return { name, ...listCounts(counts, tally, request) };
  const ancestorsOf = (ids: readonly string[]) => context.lineage.ancestorsOf(buckets.vocabulary, ids);
  return { name, ...listTreeCounts(counts, tally, { ...request, unlisted: buckets.unlisted }, ancestorsOf) };
}

function columnOf(
  buckets: FacetBuckets,
  path: number,
  hits: Rows,
  { looking, keys }: FacetContext,
): FacetColumn | Missing {
  const columnAt = <T>(thing: Thing<T>): T | Missing =>
    countRows(hits) <= FEW_HITS ? looking.among(thing, rangesOf(idsOf(hits))) : looking.get(thing);
  if (buckets.kind === "terms" || buckets.kind === "tree") {
    const column = columnAt(keyColumn(path, "records"));
    return column instanceof Missing ? column : { column, nameOf: keys.textOf };
  }
  const found = columnAt(bucketColumn(path, buckets));
  return found instanceof Missing ? found : { column: found.column, nameOf: (key) => found.names.all[key]! };
}

/** The buckets of a facet; what is made for the columns of a few hits is not kept. */
function tallyOf(
  { buckets, paths }: FacetRequest,
  columns: readonly FacetColumn[],
  isForFew: boolean,
  { db, lineage, memory }: FacetContext,
): Tally {
  const generation = buckets.kind === "tree" ? currentGeneration(db, buckets.vocabulary) : undefined;
  const state = `${generation?.g} ${generation?.writes}`;
  const key = `tally ${JSON.stringify([buckets, paths])}`;
  const kept = memory.get<{ readonly state: string; readonly tally: Tally }>(key);
  if (kept?.state === state && kept.tally.isOf(columns)) {
    if (kept.tally.extend(columns)) memory.keep(key, kept, kept.tally.bytes);
    return kept.tally;
  }
  const tally = new Tally(buckets, columns, lineage);
  if (!isForFew) memory.keep(key, { state, tally }, tally.bytes);
  return tally;
}
