/**
 * The nodes whose way up comes back to them, each circle in a row.
 * @param above by node, from 1 (index 0 is unused), the node above it; 0: none
 */
export function circlesIn(above: Uint32Array): readonly number[] {
  /** The walk on which a node was first met; 0: none yet. */
  const walkOf = new Uint32Array(above.length);
  const found: number[] = [];
  for (let start = 1; start < above.length; start++) {
    let at = start;
    while (at !== 0 && walkOf[at] === 0) {
      walkOf[at] = start;
      at = above[at]!;
    }
    if (at === 0 || walkOf[at] !== start) continue;
    const first = at;
    do {
      found.push(at);
      at = above[at]!;
    } while (at !== first);
  }
  return found;
}
