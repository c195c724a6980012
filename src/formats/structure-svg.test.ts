import { XmlDocument } from "libxml2-wasm";
import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../test/support/catalog.js";
import { allBound, grid, icosahedron } from "../../test/support/hostile-structures.js";
import { starterItems } from "../../test/support/starter-items.js";
import { LIMITS } from "../core/limits.js";
import { drawSmiles, explainUndrawable } from "./structure-svg.js";

const L_ALANINE = "C[C@H](N)C(=O)O";

async function draw(smiles: string): Promise<string> {
  const drawing = await drawSmiles(smiles);
  if ("reason" in drawing) throw new Error(`${smiles}: ${drawing.reason}`);
  return drawing.svg;
}

it("draws every chemical that the service begins with, as XML without styles and scripts", async () => {
  const texts = starterItems(builtInCatalog().vocabularies.get("chemicals")!).map(({ props }) => String(props?.smiles));
  expect(texts).toHaveLength(46);
  for (const smiles of texts) {
    const svg = await draw(smiles);
    const document = XmlDocument.fromString(svg);
    expect(document.root.name).toBe("svg");
    const of = (name: string): string => document.root.attr(name)!.value;
    expect([of("width"), of("height")]).toEqual(["240px", "180px"]);
    const [, , across, down] = of("viewBox").split(" ").map(Number);
    expect(across! / down!).toBeCloseTo(4 / 3, 1);
    document.dispose();
    expect(svg).not.toMatch(/<style|<script|style=|class=|\bon\w+=|href/);
    expect(svg.match(/<(line|text|polygon|circle) /g)?.length, smiles).toBeGreaterThan(0);
  }
});

it("draws the configuration of atoms, and each structure always alike", async () => {
  const [left, right] = [await draw(L_ALANINE), await draw(L_ALANINE.replace("@", "@@"))];
  expect(left).not.toBe(right);
  const flat = await draw("CC(N)C(=O)O");
  const wedges = (svg: string): number => svg.match(/<polygon /g)?.length ?? 0;
  expect(Math.max(wedges(left), wedges(right))).toBeGreaterThan(wedges(flat));
  expect(await draw(L_ALANINE)).toBe(left);
});

it("shows small molecules larger, up to twice as large, and the whole of long ones", async () => {
  const boxOf = async (smiles: string) =>
    /viewBox="([^"]+)"/
      .exec(await draw(smiles))![1]!
      .split(" ")
      .map(Number);
  expect((await boxOf("O")).slice(2)).toEqual([120, 90]);
  const [left, , across] = await boxOf("CCCCCCCCC=CCCCCCCCC(=O)O");
  const ends = [...(await draw("CCCCCCCCC=CCCCCCCCC(=O)O")).matchAll(/x[12]="([\d.]+)"/g)].map(([, x]) => Number(x));
  expect(left).toBeLessThan(Math.min(...ends));
  expect(left! + across!).toBeGreaterThan(Math.max(...ends));
});

describe("what is not drawn", () => {
  it.each([
    ["", "its SMILES has no atoms"],
    ["C1CC(", "its SMILES cannot be read"],
    ["caffeine", "its SMILES cannot be read"],
  ])("%.20s", async (smiles, reason) => {
    expect(await drawSmiles(smiles)).toEqual({ reason });
  });
});

/** Buckminsterfullerene. */
const FULLERENE =
  "c12c3c4c5c1c1c6c7c2c2c8c3c3c9c4c4c%10c5c5c1c1c6c6c%11c7c2c2c7c8c3c3c8c9c4" +
  "c4c9c%10c5c5c1c1c6c6c%11c2c2c7c3c3c8c4c4c9c5c1c1c6c2c3c41";
const DENSE = "it has too many rings for its atoms";

describe("structures that are refused before a library reads them", () => {
  it.each([
    ["12 atoms each bound to each", allBound(12), DENSE],
    ["9 atoms each bound to each", allBound(9), DENSE],
    ["12 such atoms at the end of a chain", `${"C".repeat(188)}${allBound(12)}`, DENSE],
    ["12 such atoms in a large ring", `C%99${"C".repeat(100)}${allBound(12)}${"C".repeat(80)}C%99`, DENSE],
    ["12 such atoms beside many others", `${"C.".repeat(100)}${allBound(12)}`, DENSE],
    ["12 such atoms in brackets, with bond signs", allBound(12, "[13CH4+]").replaceAll("%", "=%"), DENSE],
    ["a lattice of 5 x 5 x 5 atoms", grid(5, 5, 5), DENSE],
    ["a long chain", "C".repeat(201), "it has more than 200 atoms"],
    ["many fragments", "[Na+].".repeat(201), "it has more than 200 atoms"],
    ["a long text", "(".repeat(LIMITS.structureLengthMax + 1), "its SMILES has more than 4000 characters"],
  ])("%s", (_, smiles, reason) => {
    const start = performance.now();
    expect(explainUndrawable(smiles)).toBe(reason);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it("reads the longest text of any kind soon", () => {
    for (const unit of ["[", "]", "(", ")", "C", "1", "%", "%1", "C1", "[C]1", ".", " ", "C(", "é", "%(1)"]) {
      const start = performance.now();
      explainUndrawable(unit.repeat(LIMITS.structureLengthMax / unit.length));
      expect(performance.now() - start, unit).toBeLessThan(1_000);
    }
  });
});

it.each([
  ["buckminsterfullerene", FULLERENE],
  ["cubane", "C12C3C4C1C5C2C3C45"],
  ["ferrocene, with ten bonds to iron", "[CH]12[CH]3[CH]4[CH]5[CH]1[Fe]23451678[CH]2[CH]1[CH]6[CH]7[CH]28"],
  ["an icosahedral carborane", icosahedron()],
  ["a sheet of graphite", grid(2, 90)],
])("lets %s pass", (_, smiles) => {
  expect(explainUndrawable(smiles)).toBeUndefined();
});

it("lets every chemical pass that the service begins with", () => {
  for (const { props } of starterItems(builtInCatalog().vocabularies.get("chemicals")!))
    expect(explainUndrawable(String(props?.smiles))).toBeUndefined();
});
