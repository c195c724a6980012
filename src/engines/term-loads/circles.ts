/**
 * Returns the nodes of all circles, each circle in a row.
 * @param above for each node, from 1 (index 0 is unused), the node above it; 0: none
 */
export function circlesIn(parents: Uint32Array): readonly number[] {
  /** The walk that first visited a node; 0: none yet. */
  const walkByNode = new Uint32Array(parents.length);
  const circleNodes: number[] = [];
  for (let start = 1; start < parents.length; start++) {
    let current = start;
    while (current !== 0 && walkByNode[current] === 0) {
      walkByNode[current] = start;
      current = parents[current]!;
    }
    if (current === 0 || walkByNode[current] !== start) continue;
    const first = current;
    do {
      circleNodes.push(current);
      current = parents[current]!;
    } while (current !== first);
  }
  return circleNodes;
}
