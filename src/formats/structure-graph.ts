/** Atoms and bonds of a SMILES, counted before a library that may need hours for them reads it. */
import { LIMITS } from "../core/limits.js";
import { smilesProblem } from "./smiles-check.js";

/** The molecule as a graph: `bonds` are pairs of atoms, numbered in the order of the text. */
interface Graph {
  readonly atoms: number;
  readonly bonds: readonly (readonly [number, number])[];
}

/**
 * Returns why a structure is not drawn, as half a sentence, or undefined if it may be drawn. Takes a few milliseconds
 * for the longest text. A truncated or invalid SMILES is never drawn, because the library would guess what is missing.
 */
export function whyNotDrawn(smiles: string): string | undefined {
  const { structureLengthMax, structureAtomsMax, structureExtraRingsMax } = LIMITS;
  if (smiles.length > structureLengthMax) return `its SMILES has more than ${structureLengthMax} characters`;
  const graph = readGraph(smiles);
  if (graph.atoms > structureAtomsMax) return `it has more than ${structureAtomsMax} atoms`;
  if (extraRings(graph) > structureExtraRingsMax) return "it has too many rings for its atoms";
  return smilesProblem(smiles);
}

/** Bracket atom, atom without brackets, ring bond, branch, end of a fragment. Bond signs are skipped. */
const TOKEN = /\[[^[\]]*\]|Br|Cl|[BCNOPSFIbcnops*]|%\d\d|%\(\d+\)|\d|[().]/g;

function readGraph(smiles: string): Graph {
  const bonds: [number, number][] = [];
  const branches: (number | undefined)[] = [];
  const openRings = new Map<number, number>();
  let atoms = 0;
  let previous: number | undefined;
  for (const [token] of smiles.matchAll(TOKEN)) {
    if (token === "(") branches.push(previous);
    else if (token === ")") previous = branches.pop();
    else if (token === ".") previous = undefined;
    else if (/^[%\d]/.test(token)) {
      if (previous === undefined) continue;
      const label = Number(token.replace(/\D/g, ""));
      const other = openRings.get(label);
      if (other === undefined) openRings.set(label, previous);
      else openRings.delete(label);
      if (other !== undefined && other !== previous) bonds.push([other, previous]);
    } else {
      if (previous !== undefined) bonds.push([previous, atoms]);
      previous = atoms;
      atoms += 1;
    }
  }
  return { atoms, bonds };
}

/**
 * Returns how many more rings than atoms the densest part of the molecule has. Atoms with the fewest bonds are removed
 * one after another, so that a long chain does not hide a dense part.
 *
 * Placing the atoms takes the library time that grows with powers of this number: 12 atoms that are all bound to each
 * other (43) take hours. A buckminsterfullerene has 29 rings fewer than atoms, an icosahedral carborane 7 more.
 */
function extraRings({ atoms, bonds }: Graph): number {
  const neighbours = Array.from({ length: atoms }, (): number[] => []);
  for (const [one, other] of bonds) {
    neighbours[one]!.push(other);
    neighbours[other]!.push(one);
  }
  const degrees = neighbours.map((list) => list.length);
  const remaining = new Set(degrees.keys());
  let bondsLeft = bonds.length;
  let most = 0;
  while (remaining.size > 0) {
    const rings = bondsLeft - remaining.size + 1;
    most = Math.max(most, rings - remaining.size);
    let fewest: number | undefined;
    for (const atom of remaining) if (fewest === undefined || degrees[atom]! < degrees[fewest]!) fewest = atom;
    if (fewest === undefined) break;
    remaining.delete(fewest);
    bondsLeft -= degrees[fewest]!;
    for (const atom of neighbours[fewest]!) degrees[atom]! -= 1;
  }
  return most;
}
