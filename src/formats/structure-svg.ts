/** Pictures of the structures of compounds. */
/** Size of each picture, in pixels. Pages keep the space free for it. */
export const STRUCTURE_SIZE = { width: 240, height: 180 } as const;

export const SVG_TYPE = "image/svg+xml";

/** A picture, or half a sentence that says why there is none. */
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
 * @param smiles a text that `whyNotDrawn` accepts; the same text gives the same picture
 */
export async function drawStructure(smiles: string): Promise<Drawing> {
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
