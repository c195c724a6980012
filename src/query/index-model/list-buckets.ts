/** Which of the counted buckets of a facet are shown. */
import { addAll } from "../../core/collections.js";
import { compareKeywords } from "../text/analyse.js";

/** A bucket that is shown; `parent`, in a tree: the nearest ancestor that is shown too. */
interface ListedBucket {
  readonly key: string;
  readonly count: number;
  readonly parent?: string;
  /** Of those below one: are there others below it? */
  readonly hasBelow?: boolean;
}

/** Buckets that are listed in place of the largest: some by their keys, or of a tree the nearest below one. */
export type ListedKeys = { readonly keys: readonly string[] } | { readonly below: string };

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
 * Adds selected ranges, each with what it counts, to the buckets of numbers or years, where they are none of these.
 * They are buckets of their own, so that `other` stays as it is.
 */
export function withRanges({ buckets, other }: ListedBuckets, ranges: readonly ListedBucket[]): ListedBuckets {
  const listed = new Set(buckets.map(({ key }) => key));
  return { buckets: [...buckets, ...ranges.filter(({ key }) => !listed.has(key))], other };
}

/** A tree of counted items, as far as it matters which of them are shown. */
interface CountedTree {
  /** Of every cited id and of every ancestor of these. */
  readonly counts: ReadonlyMap<string, number>;
  /** The item above, undefined for a root and for what the vocabulary does not have; may have loops. */
  readonly parentOf: (id: string) => string | undefined;
  /** Items that are too wide to be shown by themselves (`root`). */
  readonly unlisted: readonly string[];
}

/**
 * As `listTop`, of a tree. An item is neither shown nor part of `other`, unless it is selected, where it counts as much
 * as one of its children, where the hits divide (`dividing`), or where it is an unlisted one.
 */
export function listTree(tree: CountedTree, size: number, selected: readonly string[]): ListedBuckets {
  const { counts, parentOf, unlisted } = tree;
  const telling = new Map(counts);
  const hide = (id: string | undefined): void => {
    if (id !== undefined && !selected.includes(id)) telling.delete(id);
  };
  for (const [id, count] of counts) {
    const parent = parentOf(id);
    if (parent !== undefined && counts.get(parent) === count && !above(parent, parentOf).includes(id)) hide(parent);
  }
  for (const id of unlisted) hide(id);
  hide(dividing(tree));
  return nestListed(listTop(telling, size, selected), parentOf);
}

/**
 * The item at which the hits divide: below the one root, or at the end of the line of single children that count the
 * same, the first one with several children that share all of its hits. It selects them all; its children say more.
 */
function dividing({ counts, parentOf }: CountedTree): string | undefined {
  const children = new Map<string | undefined, string[]>();
  for (const [id, count] of counts) {
    if (count === 0) continue;
    const isInCircle = above(id, parentOf).some((ancestor) => parentOf(ancestor) === id);
    if (isInCircle) return undefined;
    const parent = parentOf(id);
    children.set(parent, [...(children.get(parent) ?? []), id]);
  }
  const [root, ...roots] = children.get(undefined) ?? [];
  if (root === undefined || roots.length > 0) return undefined;
  const countOf = (id: string): number => counts.get(id) ?? 0;
  let at = root;
  let below = children.get(at) ?? [];
  while (below.length === 1 && countOf(below[0]!) === countOf(at)) {
    at = below[0]!;
    below = children.get(at) ?? [];
  }
  return below.reduce((sum, child) => sum + countOf(child), 0) >= countOf(at) ? at : undefined;
}

/**
 * The nearest buckets below one of a tree, the largest first. One that counts as much as one of its children, or is too
 * wide, gives way to its children.
 */
export function listBelow({ counts, parentOf, unlisted }: CountedTree, key: string, size: number): ListedBuckets {
  const children = new Map<string, string[]>();
  for (const [id, count] of counts) {
    const parent = count > 0 ? parentOf(id) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), id]);
  }
  const countOf = (id: string): number => counts.get(id) ?? 0;
  const isHidden = (id: string): boolean =>
    unlisted.includes(id) ||
    (children.get(id) ?? []).some((child) => countOf(child) === countOf(id) && !above(id, parentOf).includes(child));
  const seen = new Set([key]);
  const found: string[] = [];
  const waiting = [...(children.get(key) ?? [])];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    if (isHidden(id)) addAll(waiting, children.get(id) ?? []);
    else found.push(id);
  }
  const { buckets, other } = listTop(new Map(found.map((id) => [id, countOf(id)])), size, []);
  return { buckets: buckets.map((bucket) => ({ ...bucket, hasBelow: children.has(bucket.key) })), other };
}

/** Names of each bucket the nearest ancestor that is shown too. */
export function nestListed(
  { buckets, other }: ListedBuckets,
  parentOf: (id: string) => string | undefined,
): ListedBuckets {
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
