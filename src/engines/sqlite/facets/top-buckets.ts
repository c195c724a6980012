import {
  type ListedBuckets,
  type ListedKeys,
  listBelow,
  listTop,
  nestListed,
} from "../../../query/index-model/list-buckets.js";
import { compareKeywords } from "../../../query/text/analyse.js";
import type { FacetCounter } from "./facet-counter.js";

/** Number of listed buckets of a facet, and its selected buckets. */
interface BucketSelection {
  readonly size: number;
  readonly selected: readonly string[];
}

/** Applies `listTop` to counts by bucket. */
export function listCounts(
  counts: Int32Array,
  counter: FacetCounter,
  { size, selected }: BucketSelection,
): ListedBuckets {
  const { largest, rest } = pickLargest(counts, counter, { size, selected });
  const { buckets, other } = listTop(largest, size, selected);
  return { buckets, other: other + rest };
}

/**
 * Applies `listTree` to counts by bucket.
 * @param findAncestors returns the ancestors of terms that have no bucket, nearest first
 */
export function listTreeCounts(
  counts: Int32Array,
  counter: FacetCounter,
  { size, selected, unlisted = [] }: BucketSelection & { readonly unlisted?: readonly string[] | undefined },
  findAncestors: (ids: readonly string[]) => ReadonlyMap<string, readonly string[]>,
): ListedBuckets {
  const { largest, rest } = pickLargest(withoutUnlisted(counts, counter, selected, unlisted), counter, {
    size,
    selected,
  });
  // A selected term and its descendants may be uncited and have no bucket.
  const unbucketed = selected.filter((id) => counter.bucketNumber(id) === undefined);
  const parents = unbucketed.length === 0 ? new Map<string, string>() : parentsIn(findAncestors(unbucketed));
  const getParentId = (id: string): string | undefined => {
    const bucket = counter.bucketNumber(id);
    const parent = bucket === undefined ? undefined : counter.parentBucket(bucket);
    return parent === undefined ? parents.get(id) : counter.names[parent];
  };
  const { buckets, other } = nestListed(listTop(largest, size, selected), getParentId);
  return { buckets, other: other + rest };
}

/** Applies `listTop` for given keys, `listBelow` or `listCited` to counts by bucket. */
export function listSome(
  listed: ListedKeys,
  { size, selected, unlisted = [] }: BucketSelection & { readonly unlisted?: readonly string[] | undefined },
  counts: Int32Array,
  counter: FacetCounter,
): ListedBuckets {
  if ("cited" in listed) {
    return listCounts(citedCounts(counts, counter, selected, unlisted), counter, { size, selected });
  }
  const bucketNumber = (key: string): number => counter.bucketNumber(key) ?? 0;
  if ("keys" in listed) {
    const listedCounts = new Map(listed.keys.map((key) => [key, counts[bucketNumber(key)] ?? 0]));
    return listTop(listedCounts, size, []);
  }
  const countEntries = counter.names.flatMap((name, bucket) =>
    counts[bucket]! > 0 ? [[name, counts[bucket]!] as const] : [],
  );
  const getParentId = (id: string): string | undefined => {
    const parent = counter.parentBucket(bucketNumber(id));
    return parent === undefined ? undefined : counter.names[parent];
  };
  return listBelow({ counts: new Map(countEntries), getParentId, unlisted }, listed.below, size);
}

/** Returns the counts without those of terms that hits do not cite themselves, see `listCited`. */
function citedCounts(
  counts: Int32Array,
  counter: FacetCounter,
  selected: readonly string[],
  unlisted: readonly string[],
): Int32Array {
  const below = new Int32Array(counts.length);
  for (let bucket = 1; bucket < counts.length; bucket++) {
    const parent = counts[bucket] === 0 ? undefined : counter.parentBucket(bucket);
    if (parent !== undefined && !counter.isInCircle(bucket)) below[parent]! += counts[bucket]!;
  }
  const cited = counts.map((count, bucket) => (count > below[bucket]! ? count : 0));
  for (const id of unlisted) cited[counter.bucketNumber(id) ?? 0] = 0;
  for (const bucket of selected.map((id) => counter.bucketNumber(id) ?? 0)) cited[bucket] = counts[bucket]!;
  return cited;
}

function parentsIn(lines: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const [id, ancestors] of lines) {
    for (const [i, ancestor] of ancestors.entries()) parents.set(i === 0 ? id : ancestors[i - 1]!, ancestor);
  }
  return parents;
}

/** Returns the counts without those of terms that are not listed, see `listTree`. */
function withoutUnlisted(
  counts: Int32Array,
  counter: FacetCounter,
  selected: readonly string[],
  unlisted: readonly string[],
): Int32Array {
  const listedCounts = counts.slice();
  for (let bucket = 1; bucket < counts.length; bucket++) {
    const parent = counts[bucket] === 0 ? undefined : counter.parentBucket(bucket);
    if (parent === undefined || counts[parent] !== counts[bucket] || counter.isInCircle(bucket)) continue;
    listedCounts[parent] = 0;
  }
  for (const id of unlisted) listedCounts[counter.bucketNumber(id) ?? 0] = 0;
  listedCounts[findDivision(counts, counter)] = 0;
  for (const bucket of selected.map((id) => counter.bucketNumber(id) ?? 0)) listedCounts[bucket] = counts[bucket]!;
  return listedCounts;
}

/** Returns the bucket at which the hits divide, 0 if there is none (see query/index-model/list-buckets.ts). */
function findDivision(counts: Int32Array, counter: FacetCounter): number {
  // For each bucket, and for 0, the parent of the roots: the number of its counted children, the last of them, and
  // their total.
  const [children, lastChild, shared] = [0, 0, 0].map(() => new Int32Array(counts.length)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  for (let bucket = 1; bucket < counts.length; bucket++) {
    if (counts[bucket] === 0) continue;
    if (counter.isInCircle(bucket)) return 0;
    const parent = counter.parentBucket(bucket) ?? 0;
    children[parent]! += 1;
    lastChild[parent] = bucket;
    shared[parent]! += counts[bucket]!;
  }
  if (children[0] !== 1) return 0;
  let bucketOfHits = lastChild[0]!;
  while (children[bucketOfHits] === 1 && shared[bucketOfHits] === counts[bucketOfHits])
    bucketOfHits = lastChild[bucketOfHits]!;
  return shared[bucketOfHits]! >= counts[bucketOfHits]! ? bucketOfHits : 0;
}

/**
 * Returns the buckets that may be listed, by name, and the total of all others: a facet may have tens of thousands of
 * buckets.
 */
function pickLargest(
  counts: Int32Array,
  counter: FacetCounter,
  { size, selected }: BucketSelection,
): { readonly largest: Map<string, number>; readonly rest: number } {
  const { names } = counter;
  const order = (a: number, b: number): number => counts[b]! - counts[a]! || compareKeywords(names[a]!, names[b]!);
  const candidates = new Set(firstInOrder(counts, size, order));
  for (const name of selected) {
    const bucket = counter.bucketNumber(name);
    if (bucket !== undefined && counts[bucket]! > 0) candidates.add(bucket);
  }
  let rest = counts.reduce((sum, count) => sum + count, 0);
  const largest = new Map<string, number>();
  for (const bucket of candidates) {
    largest.set(names[bucket]!, counts[bucket]!);
    rest -= counts[bucket]!;
  }
  return { largest, rest };
}

/** Returns the first `size` non-empty buckets in an order that begins with the largest counts. */
function firstInOrder(counts: Int32Array, size: number, order: (a: number, b: number) => number): readonly number[] {
  let largest: number[] = [];
  let least = 0;
  for (let bucket = 1; bucket < counts.length; bucket++) {
    const count = counts[bucket]!;
    if (count === 0 || count < least) continue;
    largest.push(bucket);
    if (largest.length < 2 * size + 64) continue;
    largest = largest.sort(order).slice(0, size);
    least = largest.length < size || size === 0 ? 0 : counts[largest[size - 1]!]!;
  }
  return largest.sort(order).slice(0, size);
}
