/** SMILES of molecules that exist in no laboratory, for tests of what is drawn. */

/** Writes any graph as SMILES. @param isBound whether two atoms are bound, the first one being the earlier */
export function smilesOf(atoms: number, isBound: (one: number, other: number) => boolean, atom = "C"): string {
  const labels = new Map<string, number>();
  const free = Array.from({ length: 99 }, (_, i) => 99 - i);
  let text = "";
  for (let here = 0; here < atoms; here++) {
    text += here === 0 || isBound(here - 1, here) ? atom : `.${atom}`;
    const closed: number[] = [];
    for (let other = 0; other < here - 1; other++) {
      const label = labels.get(`${other} ${here}`);
      if (label === undefined) continue;
      text += ringBond(label);
      closed.push(label);
    }
    for (let other = here + 2; other < atoms; other++) {
      if (!isBound(here, other)) continue;
      const label = free.pop();
      if (label === undefined) throw new Error("SMILES has labels for 99 open rings.");
      labels.set(`${here} ${other}`, label);
      text += ringBond(label);
    }
    free.push(...closed.reverse());
  }
  return text;
}

const ringBond = (label: number): string => (label < 10 ? String(label) : `%${label}`);

/** Atoms each bound to each. */
export const allBound = (atoms: number, atom = "C"): string => smilesOf(atoms, () => true, atom);

/** A lattice: each atom is bound to its neighbours along up to three axes. */
export function grid(width: number, height: number, depth = 1): string {
  const placeOf = (i: number): number[] => [i % width, Math.floor(i / width) % height, Math.floor(i / width / height)];
  return smilesOf(width * height * depth, (one, other) => {
    const distances = placeOf(one).map((coordinate, axis) => Math.abs(coordinate - placeOf(other)[axis]!));
    return distances.reduce((sum, distance) => sum + distance) === 1;
  });
}

/** Twelve atoms at the corners of an icosahedron, as in carboranes. */
export function icosahedron(): string {
  const nextOf = (i: number, step: number): number => ((i - 1 + step) % 5) + 1;
  return smilesOf(
    12,
    (one, other) => {
      if (one === 0) return other <= 5;
      if (other === 11) return one >= 6;
      const isInOneRing = one <= 5 === other <= 5;
      const upper = one <= 5 ? one : one - 5;
      const lower = other <= 5 ? other : other - 5;
      if (isInOneRing) return lower === nextOf(upper, 1) || upper === nextOf(lower, 1);
      return lower === upper || lower === nextOf(upper, 1);
    },
    "[BH]",
  );
}
