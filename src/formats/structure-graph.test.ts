import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../test/support/catalog.js";
import { allBound, grid, icosahedron } from "../../test/support/hostile-structures.js";
import { starterItems } from "../../test/support/starter-items.js";
import { LIMITS } from "../core/limits.js";
import { whyNotDrawn } from "./structure-graph.js";

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
    expect(whyNotDrawn(smiles)).toBe(reason);
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it("reads the longest text of any kind soon", () => {
    for (const unit of ["[", "]", "(", ")", "C", "1", "%", "%1", "C1", "[C]1", ".", " ", "C(", "é", "%(1)"]) {
      const start = performance.now();
      whyNotDrawn(unit.repeat(LIMITS.structureLengthMax / unit.length));
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
  expect(whyNotDrawn(smiles)).toBeUndefined();
});

it("lets every chemical pass that the service begins with", () => {
  for (const { props } of starterItems(builtInCatalog().vocabularies.get("chemicals")!))
    expect(whyNotDrawn(String(props?.smiles))).toBeUndefined();
});
