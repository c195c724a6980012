/** Pre-order numbers of a forest, by node from 1: the subtree of a node has the numbers `lo` (its own) to `hi`. */
export interface Nesting {
  readonly lo: Uint32Array;
  readonly hi: Uint32Array;
  /** False if parents form circles; then the numbers are meaningless. */
  readonly isForest: boolean;
}

/**
 * Numbers the nodes of a forest in pre-order.
 * @param parents parent of each node, from 1 (index 0 is unused); 0 for a root
 */
export function numberNodes(parents: Uint32Array): Nesting {
  const size = parents.length;
  const first = new Uint32Array(size);
  const next = new Uint32Array(size);
  // From the last to the first node, so that children are in ascending order.
  for (let node = size - 1; node > 0; node--) {
    const parent = parents[node]!;
    next[node] = first[parent]!;
    first[parent] = node;
  }
  const lo = new Uint32Array(size);
  const hi = new Uint32Array(size);
  let number = 0;
  // Node 0 is the parent of the roots. The links to parents replace a stack, which would be as deep as the tree.
  let node = first[0] ?? 0;
  while (node !== 0) {
    number += 1;
    lo[node] = number;
    let following = first[node]!;
    while (following === 0 && node !== 0) {
      hi[node] = number;
      following = next[node]!;
      if (following === 0) node = parents[node]!;
    }
    node = following;
  }
  return { lo, hi, isForest: number === size - 1 || size === 0 };
}

/** Order of terms that match equally well: active first, larger prior, shorter title, id byte by byte. */
export interface RankKey {
  /** 0 active, 1 deprecated. */
  readonly status: number;
  readonly prior: number;
  readonly length: number;
  readonly ext: string;
}

/** A rank key with the number of published records that cite the term. */
export interface CitedKey extends RankKey {
  readonly cited: number;
}

/** Compares terms by their static rank. */
export function compareRank(a: RankKey, b: RankKey): number {
  return a.status - b.status || b.prior - a.prior || a.length - b.length || compareBytes(a.ext, b.ext);
}

/** Compares terms: active first, then most cited, then by static rank. */
export function compareCited(a: CitedKey, b: CitedKey): number {
  return a.status - b.status || b.cited - a.cited || compareRank(a, b);
}

/** Compares two texts by their UTF-8 bytes, which is the order of code points. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [unitOfA, unitOfB] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (unitOfA !== unitOfB) return codePointPlace(unitOfA) - codePointPlace(unitOfB);
  }
  return a.length - b.length;
}

/** Returns a UTF-16 unit so that surrogates, which stand for the highest code points, are greater than all others. */
const codePointPlace = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/**
 * Finds the circles of a hierarchy. Returns the nodes of each circle, in which each node is followed by its parent.
 * @param parents the parent of each node, from 1 (index 0 is unused); 0: none
 */
export function circlesIn(parents: Uint32Array): readonly (readonly number[])[] {
  /** The walk that first visited a node; 0: none yet. */
  const walkByNode = new Uint32Array(parents.length);
  const circles: number[][] = [];
  for (let start = 1; start < parents.length; start++) {
    let current = start;
    while (current !== 0 && walkByNode[current] === 0) {
      walkByNode[current] = start;
      current = parents[current]!;
    }
    if (current === 0 || walkByNode[current] !== start) continue;
    const circle = [current];
    for (let next = parents[current]!; next !== current; next = parents[next]!) circle.push(next);
    circles.push(circle);
  }
  return circles;
}
