/** Pre-order numbers of a forest: a node's subtree is `lo` (its own) to `hi`. Both by node, from 1. */
export interface Nesting {
  readonly lo: Uint32Array;
  readonly hi: Uint32Array;
  /** False where parents lead in circles: then the numbers say nothing. */
  readonly isForest: boolean;
}

/** @param parents by node, from 1 (index 0 is unused); 0: the node is a root */
export function nest(parents: Uint32Array): Nesting {
  const size = parents.length;
  const first = new Uint32Array(size);
  const next = new Uint32Array(size);
  // From the last to the first, so that children stand in ascending order.
  for (let node = size - 1; node > 0; node--) {
    const parent = parents[node]!;
    next[node] = first[parent]!;
    first[parent] = node;
  }
  const lo = new Uint32Array(size);
  const hi = new Uint32Array(size);
  let number = 0;
  // Node 0 stands above the roots; a stack would be as deep as the tree, the links up are there anyway.
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
