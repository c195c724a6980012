/** Which of the counted buckets of a facet are shown. */
import { compareKeywords } from "./analyse.js";

/** A bucket that is shown; `parent`, in a tree: the nearest ancestor that is shown too. */
export interface ListedBucket {
  readonly key: string;
  readonly count: number;
  readonly parent?: string;
}

/** Count descending, then key by code point; `other` sums the counts of the buckets that are not shown. */
export interface ListedBuckets {
  readonly buckets: readonly ListedBucket[];
  readonly other: number;
}

/**
 * The largest buckets, and those that are selected, with 0 too.
 * @param size buckets at most, beside selected ones that are not among the largest
 */
export function listTop(counts: ReadonlyMap<string, number>, size: number, selected: readonly string[]): ListedBuckets {
  const there = [...counts].filter(([, count]) => count > 0).map(([key, count]) => ({ key, count }));
  // Only what can be shown is put in order: a facet may have tens of thousands of keys.
  const sizes = Uint32Array.from(there, ({ count }) => count).sort();
  const least = size === 0 ? Number.POSITIVE_INFINITY : (sizes[sizes.length - size] ?? 0);
  const shown = there.filter(({ count }) => count >= least).sort(byCount);
  const buckets = shown.slice(0, size);
  const keys = new Set(buckets.map(({ key }) => key));
  for (const key of new Set(selected)) if (!keys.has(key)) buckets.push({ key, count: counts.get(key) ?? 0 });
  const sum = (all: readonly { readonly count: number }[]): number => all.reduce((n, { count }) => n + count, 0);
  return { buckets: buckets.sort(byCount), other: sum(there) - sum(buckets) };
}

/**
 * As `listTop`, of a tree: an item that counts as much as one of its children says nothing that the child does not
 * say. It is neither shown, unless it is selected, nor part of `other`.
 *
 * @param counts of every cited id and of every ancestor of these
 * @param parentOf the item above, undefined for a root and for what the vocabulary does not have; may have loops
 */
export function listTree(
  counts: ReadonlyMap<string, number>,
  parentOf: (id: string) => string | undefined,
  size: number,
  selected: readonly string[],
): ListedBuckets {
  const telling = new Map(counts);
  for (const [id, count] of counts) {
    const parent = parentOf(id);
    if (parent === undefined || counts.get(parent) !== count || selected.includes(parent)) continue;
    if (!above(parent, parentOf).includes(id)) telling.delete(parent);
  }
  const { buckets, other } = listTop(telling, size, selected);
  const keys = new Set(buckets.map(({ key }) => key));
  return { buckets: buckets.map((bucket) => ({ ...bucket, ...nearestAbove(bucket.key, parentOf, keys) })), other };
}

function nearestAbove(
  id: string,
  parentOf: (id: string) => string | undefined,
  shown: ReadonlySet<string>,
): Pick<ListedBucket, "parent"> {
  const parent = above(id, parentOf).find((ancestor) => shown.has(ancestor));
  return parent === undefined ? {} : { parent };
}

/** The ancestors of an item, nearest first; itself is none, even in a loop. */
function above(id: string, parentOf: (id: string) => string | undefined): readonly string[] {
  const seen = new Set([id]);
  for (let at = parentOf(id); at !== undefined && !seen.has(at); at = parentOf(at)) seen.add(at);
  return [...seen].slice(1);
}

const byCount = (a: ListedBucket, b: ListedBucket): number => b.count - a.count || compareKeywords(a.key, b.key);
