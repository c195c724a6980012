/** Pictures of the structures of compounds. */
import { LIMITS } from "../core/limits.js";
import { smilesProblem } from "./smiles-check.js";

/** Size of each picture, in pixels. Pages keep the space free for it. */
export const STRUCTURE_SIZE = { width: 240, height: 180 } as const;

/** Media type of pictures. */
export const SVG_TYPE = "image/svg+xml";

/** A picture, or the reason why there is none, as half a sentence. */
export type Drawing = { readonly svg: string } | { readonly reason: string };

/**
 * Options for a picture as chemists print it: no marks of atoms whose configuration is unknown, no words about the
 * whole molecule. The `viewBox` is that of the molecule, with a margin in pixels.
 */
const PLAIN = {
  suppressChiralText: true,
  suppressESR: true,
  suppressCIPParity: true,
  noStereoProblem: true,
  autoCrop: true,
  autoCropMargin: 8,
};

/** Maximum length of the bonds of small molecules, as a multiple of those of large ones. */
const ZOOM_MAX = 2;

/**
 * Draws a structure. The first call loads the library, which takes a second or more, and about 40 MB.
 * @param smiles a text that `explainUndrawable` accepts; the same text gives the same picture
 */
export async function drawSmiles(smiles: string): Promise<Drawing> {
  const { Molecule } = await import("openchemlib");
  try {
    const molecule = Molecule.fromSmiles(smiles);
    if (molecule.getAllAtoms() === 0) return { reason: "its SMILES has no atoms" };
    const { width, height } = STRUCTURE_SIZE;
    return { svg: frame(withoutStyle(molecule.toSVG(width, height, "structure", PLAIN))) };
  } catch {
    // The library reports this by errors of many kinds, some of them of its own compiler.
    return { reason: "its SMILES cannot be read" };
  }
}

/** Moves the style that the library writes into a style sheet to the root, and removes what it adds for pointers. */
function withoutStyle(svg: string): string {
  return svg
    .replace(/<style>.*?<\/style>\s*/s, "")
    .replaceAll(/^.* class="event" .*\n/gm, "")
    .replace('<svg id="structure"', '<svg font-family="sans-serif" stroke-linecap="round" stroke-linejoin="round"');
}

/** Gives every picture the same size: space around the molecule fills it up. */
function frame(svg: string): string {
  const { width, height } = STRUCTURE_SIZE;
  return svg.replace(
    /width="\d+px" height="\d+px" viewBox="(-?\d+) (-?\d+) (\d+) (\d+)"/,
    (_, ...[x, y, w, h]: string[]) => {
      const scale = Math.max(1 / ZOOM_MAX, Number(w) / width, Number(h) / height);
      const [across, down] = [width * scale, height * scale];
      const [left, top] = [Number(x) + (Number(w) - across) / 2, Number(y) + (Number(h) - down) / 2];
      return `width="${width}px" height="${height}px" viewBox="${[left, top, across, down].map(Math.round).join(" ")}"`;
    },
  );
}

/** A molecule as a graph: `bonds` are pairs of atoms, numbered in the order of the text. */
interface Graph {
  readonly atoms: number;
  readonly bonds: readonly (readonly [number, number])[];
}

/**
 * Returns the reason why a structure is not drawn, as half a sentence, or undefined if it may be drawn. Takes a few
 * milliseconds for the longest text; the library may need hours for some texts. A truncated or invalid SMILES is never
 * drawn, because the library would guess what is missing.
 */
export function explainUndrawable(smiles: string): string | undefined {
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
