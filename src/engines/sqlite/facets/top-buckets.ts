import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import {
  type ListedBuckets,
  type ListedKeys,
  listBelow,
  listTop,
  nestListed,
} from "../../../query/index-model/list-buckets.js";
import { compareKeywords } from "../../../query/text/analyse.js";
import type { FacetCounter } from "./facet-counter.js";

/** Which buckets of a facet are shown, of how many there are, and how many are selected. */
export interface Shown {
  readonly size: number;
  readonly selected: readonly string[];
}

/** As `listTop` of the counts by bucket. */
export function listCounts(counts: Int32Array, counter: FacetCounter, { size, selected }: Shown): ListedBuckets {
  const { largest, rest } = largestOf(counts, counter, { size, selected });
  const { buckets, other } = listTop(largest, size, selected);
  return { buckets, other: other + rest };
}

/**
 * As `listTree` of the counts by bucket.
 * @param ancestorsOf what stands above items that are no bucket, nearest first
 */
export function listTreeCounts(
  counts: Int32Array,
  counter: FacetCounter,
  { size, selected, unlisted = [] }: Shown & { readonly unlisted?: readonly string[] | undefined },
  ancestorsOf: (ids: readonly string[]) => ReadonlyMap<string, readonly string[]>,
): ListedBuckets {
  const { largest, rest } = largestOf(tellingOf(counts, counter, selected, unlisted), counter, { size, selected });
  // Nothing need cite what is selected, or anything below it.
  const unbucketed = selected.filter((id) => counter.numberOf(id) === undefined);
  const parents = unbucketed.length === 0 ? new Map<string, string>() : parentsIn(ancestorsOf(unbucketed));
  const parentOf = (id: string): string | undefined => {
    const bucket = counter.numberOf(id);
    const parent = bucket === undefined ? undefined : counter.parentOf(bucket);
    return parent === undefined ? parents.get(id) : counter.names[parent];
  };
  const { buckets, other } = nestListed(listTop(largest, size, selected), parentOf);
  return { buckets, other: other + rest };
}

/** As `listTop` of some keys, or as `listBelow`, of the counts by bucket. */
export function listSome(
  listed: ListedKeys,
  { buckets, size }: Pick<CountedFacet, "buckets" | "size">,
  counts: Int32Array,
  counter: FacetCounter,
): ListedBuckets {
  const numberOf = (key: string): number => counter.numberOf(key) ?? 0;
  if ("keys" in listed) {
    const some = new Map(listed.keys.map((key) => [key, counts[numberOf(key)] ?? 0]));
    return listTop(some, size, []);
  }
  const all = counter.names.flatMap((name, bucket) => (counts[bucket]! > 0 ? [[name, counts[bucket]!] as const] : []));
  const parentOf = (id: string): string | undefined => {
    const parent = counter.parentOf(numberOf(id));
    return parent === undefined ? undefined : counter.names[parent];
  };
  const unlisted = buckets.kind === "tree" ? (buckets.unlisted ?? []) : [];
  return listBelow({ counts: new Map(all), parentOf, unlisted }, listed.below, size);
}

function parentsIn(lines: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  for (const [id, ancestors] of lines) {
    for (const [i, ancestor] of ancestors.entries()) parents.set(i === 0 ? id : ancestors[i - 1]!, ancestor);
  }
  return parents;
}

/** The counts without those of items that are not to be listed: see `listTree`. */
function tellingOf(
  counts: Int32Array,
  counter: FacetCounter,
  selected: readonly string[],
  unlisted: readonly string[],
): Int32Array {
  const telling = counts.slice();
  for (let bucket = 1; bucket < counts.length; bucket++) {
    const parent = counts[bucket] === 0 ? undefined : counter.parentOf(bucket);
    if (parent === undefined || counts[parent] !== counts[bucket] || counter.isInCircle(bucket)) continue;
    telling[parent] = 0;
  }
  for (const id of unlisted) telling[counter.numberOf(id) ?? 0] = 0;
  telling[dividing(counts, counter)] = 0;
  for (const bucket of selected.map((id) => counter.numberOf(id) ?? 0)) telling[bucket] = counts[bucket]!;
  return telling;
}

/** The bucket at which the hits divide, 0 where there is none (see query/index-model/list-buckets.ts). */
function dividing(counts: Int32Array, counter: FacetCounter): number {
  // Of each bucket, and of 0, which is above the roots: its counted children, the last of them, and what they count.
  const [children, last, shared] = [0, 0, 0].map(() => new Int32Array(counts.length)) as [
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  for (let bucket = 1; bucket < counts.length; bucket++) {
    if (counts[bucket] === 0) continue;
    if (counter.isInCircle(bucket)) return 0;
    const parent = counter.parentOf(bucket) ?? 0;
    children[parent]! += 1;
    last[parent] = bucket;
    shared[parent]! += counts[bucket]!;
  }
  if (children[0] !== 1) return 0;
  let at = last[0]!;
  while (children[at] === 1 && shared[at] === counts[at]) at = last[at]!;
  return shared[at]! >= counts[at]! ? at : 0;
}

/** The buckets that can be shown by name, and what all others count: a facet may have tens of thousands of buckets. */
function largestOf(
  counts: Int32Array,
  counter: FacetCounter,
  { size, selected }: Shown,
): { readonly largest: Map<string, number>; readonly rest: number } {
  const { names } = counter;
  const order = (a: number, b: number): number => counts[b]! - counts[a]! || compareKeywords(names[a]!, names[b]!);
  const chosen = new Set(firstInOrder(counts, size, order));
  for (const name of selected) {
    const bucket = counter.numberOf(name);
    if (bucket !== undefined && counts[bucket]! > 0) chosen.add(bucket);
  }
  let rest = counts.reduce((sum, count) => sum + count, 0);
  const largest = new Map<string, number>();
  for (const bucket of chosen) {
    largest.set(names[bucket]!, counts[bucket]!);
    rest -= counts[bucket]!;
  }
  return { largest, rest };
}

/** The first `size` buckets that count something, in an order that begins with the largest counts. */
function firstInOrder(counts: Int32Array, size: number, order: (a: number, b: number) => number): readonly number[] {
  let best: number[] = [];
  let least = 0;
  for (let bucket = 1; bucket < counts.length; bucket++) {
    const count = counts[bucket]!;
    if (count === 0 || count < least) continue;
    best.push(bucket);
    if (best.length < 2 * size + 64) continue;
    best = best.sort(order).slice(0, size);
    least = best.length < size || size === 0 ? 0 : counts[best[size - 1]!]!;
  }
  return best.sort(order).slice(0, size);
}
