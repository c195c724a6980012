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
