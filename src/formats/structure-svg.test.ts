import { XmlDocument } from "libxml2-wasm";
import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../test/support/catalog.js";
import { starterItems } from "../../test/support/starter-items.js";
import { drawStructure } from "./structure-svg.js";

const L_ALANINE = "C[C@H](N)C(=O)O";

async function draw(smiles: string): Promise<string> {
  const drawing = await drawStructure(smiles);
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
    expect(await drawStructure(smiles)).toEqual({ reason });
  });
});
