import type { FacetCounts, FacetRequest } from "../../ports/search-index.js";
import { compareKeywords } from "../../query/analyse.js";
import { type Deadline, ROWS_BETWEEN_CHECKS } from "./deadline.js";
import type { Hits } from "./hits.js";
import type { Keys } from "./keys.js";

export interface FacetContext {
  readonly keys: Keys;
  readonly deadline: Deadline;
  /** Id of a path, undefined where no record holds it. */
  idOf(path: string): number | undefined;
}

/** Buckets of one facet; the same value at another path of the facet is the same bucket. */
interface Tally {
  readonly request: FacetRequest;
  /** Number of the first bucket; the others follow in the order of `values`. */
  readonly first: number;
  readonly values: readonly string[];
}

/** Which buckets the rows of `key` count in: those of key k stand in `buckets` from `starts[k]` to `starts[k + 1]`. */
interface Slots {
  readonly starts: Uint32Array;
  readonly buckets: readonly number[];
}

/** Counts several facets over the same hits, each record once per bucket. */
export function countFacets(requests: readonly FacetRequest[], hits: Hits, context: FacetContext): FacetCounts[] {
  if (requests.length === 0) return [];
  const { tallies, slots, size } = prepare(requests, context);
  const { starts, buckets } = slots;
  const counts = new Uint32Array(size);
  // Number of the last record that a bucket counted.
  const last = new Uint32Array(size);
  let record = 0;
  for (const keys of hits.keys()) {
    record += 1;
    if (record % ROWS_BETWEEN_CHECKS === 0) context.deadline.check();
    for (let at = 0; at < keys.length; at += 4) {
      const key = keys.readUInt32LE(at);
      for (let slot = starts[key]!; slot < starts[key + 1]!; slot++) {
        const bucket = buckets[slot]!;
        if (last[bucket] === record) continue;
        last[bucket] = record;
        counts[bucket]! += 1;
      }
    }
  }
  return tallies.map((tally) => finish(tally, counts.subarray(tally.first, tally.first + tally.values.length)));
}

function prepare(
  requests: readonly FacetRequest[],
  { keys, idOf }: FacetContext,
): { tallies: Tally[]; slots: Slots; size: number } {
  const facets = requests.map((request) => ({
    request,
    paths: new Set(request.paths.map(idOf)),
    bucketOf: new Map<string, number>(),
  }));
  const end = keys.end();
  const starts = new Uint32Array(end + 1);
  const placed: { readonly facet: number; readonly bucket: number }[] = [];
  for (let key = 0; key < end; key++) {
    starts[key] = placed.length;
    for (const [facet, { paths, bucketOf }] of facets.entries()) {
      if (!paths.has(keys.pathOf(key))) continue;
      const value = keys.textOf(key);
      const bucket = bucketOf.get(value) ?? bucketOf.size;
      bucketOf.set(value, bucket);
      placed.push({ facet, bucket });
    }
  }
  starts[end] = placed.length;
  const tallies: Tally[] = [];
  let size = 0;
  for (const { request, bucketOf } of facets) {
    tallies.push({ request, first: size, values: [...bucketOf.keys()] });
    size += bucketOf.size;
  }
  return { tallies, slots: { starts, buckets: placed.map((p) => tallies[p.facet]!.first + p.bucket) }, size };
}

function finish({ request, values }: Tally, counts: Uint32Array): FacetCounts {
  const { name, size } = request;
  const found = counts.filter((n) => n > 0).sort();
  // Only what can be listed is put in order: a facet may have tens of thousands of values.
  const least = found[found.length - size] ?? 1;
  const candidates = values.flatMap((key, i) => (counts[i]! >= least ? [{ key, count: counts[i]! }] : []));
  const listed = candidates.sort(byCount).slice(0, size);
  const there = new Set(listed.map(({ key }) => key));
  for (const key of new Set(request.selected)) {
    if (there.has(key)) continue;
    const i = values.indexOf(key);
    listed.push({ key, count: i < 0 ? 0 : counts[i]! });
  }
  listed.sort(byCount);
  const all = found.reduce((sum, n) => sum + n, 0);
  return { name, buckets: listed, other: all - listed.reduce((sum, bucket) => sum + bucket.count, 0) };
}

interface Bucket {
  readonly key: string;
  readonly count: number;
}

const byCount = (a: Bucket, b: Bucket): number => b.count - a.count || compareKeywords(a.key, b.key);
