/** Selection of the counted buckets of a facet that are listed. */
import { addAll } from "../../core/collections.js";
import { compareKeywords } from "../text/analyse.js";

/** A listed bucket. */
interface ListedBucket {
  readonly key: string;
  readonly count: number;
  /** Nearest listed ancestor in a tree. */
  readonly parent?: string;
  /** Whether there are buckets below it. Only set by `listBelow`. */
  readonly hasBelow?: boolean;
}

/**
 * Buckets to list in place of the largest ones: those with some keys, the nearest ones below a key of a tree, or the
 * cited terms of a tree without the terms above them (`listCited`).
 */
export type ListedKeys = { readonly keys: readonly string[] } | { readonly below: string } | { readonly cited: true };

/** Listed buckets, by descending count, then by key (code points). `other` is the sum of the counts of all others. */
export interface ListedBuckets {
  readonly buckets: readonly ListedBucket[];
  readonly other: number;
}

/**
 * Returns the largest buckets and the selected ones, even with the count 0.
 * @param size maximum number of buckets, without selected ones that are not among the largest
 */
export function listTop(counts: ReadonlyMap<string, number>, size: number, selected: readonly string[]): ListedBuckets {
  const counted = [...counts].filter(([, count]) => count > 0).map(([key, count]) => ({ key, count }));
  // Only buckets that can be listed are sorted: a facet may have tens of thousands of keys.
  const sizes = Uint32Array.from(counted, ({ count }) => count).sort();
  const countMin = size === 0 ? Number.POSITIVE_INFINITY : (sizes[sizes.length - size] ?? 0);
  const largest = counted.filter(({ count }) => count >= countMin).sort(byCount);
  const buckets = largest.slice(0, size);
  const keys = new Set(buckets.map(({ key }) => key));
  for (const key of new Set(selected)) if (!keys.has(key)) buckets.push({ key, count: counts.get(key) ?? 0 });
  const sum = (all: readonly { readonly count: number }[]): number => all.reduce((n, { count }) => n + count, 0);
  return { buckets: buckets.sort(byCount), other: sum(counted) - sum(buckets) };
}

/** Adds selected ranges with their counts to buckets of numbers or years, except equal ones. `other` is unchanged. */
export function withRanges({ buckets, other }: ListedBuckets, ranges: readonly ListedBucket[]): ListedBuckets {
  const listed = new Set(buckets.map(({ key }) => key));
  return { buckets: [...buckets, ...ranges.filter(({ key }) => !listed.has(key))], other };
}

/** Tree of counted terms. */
interface CountedTree {
  /** Counts of all cited ids and their ancestors. */
  readonly counts: ReadonlyMap<string, number>;
  /** Returns the parent of a term; undefined for a root and for an unknown term. May have loops. */
  readonly getParentId: (id: string) => string | undefined;
  /** Terms that are too general to be listed (`root`). */
  readonly unlisted: readonly string[];
}

/**
 * Returns the largest and the selected buckets of a tree. A term that is not selected is hidden, and not part of
 * `other`, if it has the same count as one of its children, if it is the dividing term (`dividingTerm`), or if it is
 * unlisted.
 */
export function listTree(tree: CountedTree, size: number, selected: readonly string[]): ListedBuckets {
  const { counts, getParentId, unlisted } = tree;
  const visible = new Map(counts);
  const hide = (id: string | undefined): void => {
    if (id !== undefined && !selected.includes(id)) visible.delete(id);
  };
  for (const [id, count] of counts) {
    const parent = getParentId(id);
    if (parent !== undefined && counts.get(parent) === count && !ancestors(parent, getParentId).includes(id))
      hide(parent);
  }
  for (const id of unlisted) hide(id);
  hide(dividingTerm(tree));
  return nestListed(listTop(visible, size, selected), getParentId);
}

/**
 * Returns the term below which the hits divide: the only root, or the end of a chain of single children with the same
 * count from there. All its hits are also below its children, so that it would filter nothing.
 */
function dividingTerm({ counts, getParentId }: CountedTree): string | undefined {
  const children = new Map<string | undefined, string[]>();
  for (const [id, count] of counts) {
    if (count === 0) continue;
    const isInLoop = ancestors(id, getParentId).some((ancestor) => getParentId(ancestor) === id);
    if (isInLoop) return undefined;
    const parent = getParentId(id);
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
 * Returns the nearest buckets below a key of a tree, the largest first. A bucket with the same count as one of its
 * children, or an unlisted one, is replaced by its children.
 */
export function listBelow({ counts, getParentId, unlisted }: CountedTree, key: string, size: number): ListedBuckets {
  const children = new Map<string, string[]>();
  for (const [id, count] of counts) {
    const parent = count > 0 ? getParentId(id) : undefined;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), id]);
  }
  const countOf = (id: string): number => counts.get(id) ?? 0;
  const isHidden = (id: string): boolean =>
    unlisted.includes(id) ||
    (children.get(id) ?? []).some(
      (child) => countOf(child) === countOf(id) && !ancestors(id, getParentId).includes(child),
    );
  const visited = new Set([key]);
  const nearest: string[] = [];
  const stack = [...(children.get(key) ?? [])];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (visited.has(id)) continue;
    visited.add(id);
    if (isHidden(id)) addAll(stack, children.get(id) ?? []);
    else nearest.push(id);
  }
  const { buckets, other } = listTop(new Map(nearest.map((id) => [id, countOf(id)])), size, []);
  return { buckets: buckets.map((bucket) => ({ ...bucket, hasBelow: children.has(bucket.key) })), other };
}

/**
 * Returns the largest and the selected buckets of a tree that hits cite themselves: those with more hits than their
 * children together. Other terms, of which hits only cite descendants, are hidden, and so are unlisted ones.
 */
export function listCited(tree: CountedTree, size: number, selected: readonly string[]): ListedBuckets {
  const { counts, getParentId, unlisted } = tree;
  const below = new Map<string, number>();
  for (const [id, count] of counts) {
    const parent = getParentId(id);
    if (parent === undefined || ancestors(parent, getParentId).includes(id)) continue;
    below.set(parent, (below.get(parent) ?? 0) + count);
  }
  const isCited = ([id, count]: readonly [string, number]): boolean =>
    selected.includes(id) || (count > (below.get(id) ?? 0) && !unlisted.includes(id));
  return listTop(new Map([...counts].filter(isCited)), size, selected);
}

/** Adds the nearest listed ancestor to each bucket. */
export function nestListed(
  { buckets, other }: ListedBuckets,
  getParentId: (id: string) => string | undefined,
): ListedBuckets {
  const keys = new Set(buckets.map(({ key }) => key));
  return { buckets: buckets.map((bucket) => ({ ...bucket, ...nearestAbove(bucket.key, getParentId, keys) })), other };
}

function nearestAbove(
  id: string,
  getParentId: (id: string) => string | undefined,
  listed: ReadonlySet<string>,
): Pick<ListedBucket, "parent"> {
  const parent = ancestors(id, getParentId).find((ancestor) => listed.has(ancestor));
  return parent === undefined ? {} : { parent };
}

/** Returns the ancestors of a term, nearest first, without the term itself even in a loop. */
function ancestors(id: string, getParentId: (id: string) => string | undefined): readonly string[] {
  const visited = new Set([id]);
  for (let at = getParentId(id); at !== undefined && !visited.has(at); at = getParentId(at)) visited.add(at);
  return [...visited].slice(1);
}

const byCount = (a: ListedBucket, b: ListedBucket): number => b.count - a.count || compareKeywords(a.key, b.key);
