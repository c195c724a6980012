import fc from "fast-check";
import { expect, it } from "vitest";
import { LIMITS } from "../core/limits.js";
import { explainUndrawable } from "./structure-svg.js";

const ASPIRIN = "CC(=O)Oc1ccccc1C(=O)O";

it.each([
  // The case that was reported: a SMILES without its last two characters.
  ["CC(=O)Oc1ccccc1C(=O", "is cut: the bracket at character 17 is not closed"],
  ["CC(=O)Oc1ccccc1C(=", "is cut"],
  ["CC(=O)Oc1ccccc1C(", "is cut"],
  ["CC(=O)Oc1cccc", "is cut: the ring 1 is not closed"],
  ["CC(=O)O.", "is cut: its last character needs an atom after it"],
  ["CC(=O)O...", "has a dot without an atom"],
  ["CC(=O)O…", "cannot be read at character 8"],
  ["CC#", "is cut"],
  ["CC[N+", "cannot be read at character 3"],
  ["C[Xx]", 'has "[Xx]", which is not an atom,'],
  ["C[C@@@H]", "which is not an atom"],
  ["[#6]~[#7]", "which is not an atom"],
  ["CC)O", "closes a bracket that is not open"],
  ["C()C", "has an empty branch"],
  ["(C)C", "has a branch without an atom"],
  ["C==C", "has a bond without an atom"],
  ["=C", "has a bond without an atom"],
  ["C=1CCC#1", "closes the ring 1 with another bond"],
  ["C11", "closes the ring 1 at the atom where it begins"],
  ["C12CC12", "binds two atoms twice"],
  ["C1C1", "binds two atoms twice"],
  ["CCc", 'has an aromatic atom "c" that is in no ring'],
  ["CC(C)(C)(C)C", 'has an atom "C" with 5 bonds'],
  ["C=O=C", 'has an atom "O" with 4 bonds'],
  ["CCO ethanol", "cannot be read at character 4"],
  ["CC>>CO", "cannot be read at character 3"],
  ["C(C)R", "cannot be read at character 5"],
  ["CH3CH2OH", "cannot be read at character 2"],
  ["aspirin", "cannot be read at character 1"],
])("does not draw %s", (smiles, reason) => {
  expect(explainUndrawable(smiles)).toMatch(/^its SMILES /);
  expect(explainUndrawable(smiles)).toContain(reason);
});

it.each([
  ASPIRIN,
  "[Na+].[Cl-]",
  "[2H]O[2H]",
  "[H][H]",
  "C[C@H](N)C(=O)O",
  "F/C=C/F",
  "C1=CC=CN1",
  "c1cc[nH]c1",
  "O=[N+]([O-])c1ccccc1",
  "CN(=O)=O",
  "OCl(=O)(=O)=O",
  "OS(=O)(=O)O",
  "OP(=O)(O)O",
  "C%10CCCC%10",
  "C%(100)CCCC%(100)",
  "[Cu+2].[O-]S([O-])(=O)=O",
  "[Fe++]",
  "C1CCCC=1",
  "C/1=C/CCCCCC1",
  "*C",
  "[se]1cccc1",
  "C(.C)C",
  "[13CH4:1]",
  "c1ccc(-c2ccccc2)cc1",
])("draws %s", (smiles) => {
  expect(explainUndrawable(smiles)).toBeUndefined();
});

it("draws no beginning of a SMILES that leaves a bracket, a ring or a bond open", () => {
  const MORPHINE = "CN1CC[C@]23c4c5ccc(O)c4O[C@H]2[C@@H](O)C=C[C@H]3[C@H]1C5";
  fc.assert(
    fc.property(fc.constantFrom(ASPIRIN, MORPHINE), fc.integer({ min: 1, max: 60 }), (whole, length) => {
      const cut = whole.slice(0, length);
      fc.pre(length < whole.length);
      const count = (pattern: RegExp): number => cut.replaceAll(/\[[^\]]*\]/g, "X").match(pattern)?.length ?? 0;
      const isOpen =
        count(/\(/g) !== count(/\)/g) ||
        count(/\[/g) > 0 ||
        [1, 2, 3, 4, 5].some((n) => count(new RegExp(String(n), "g")) % 2 === 1);
      fc.pre(isOpen);
      expect(explainUndrawable(cut), cut).toMatch(/^its SMILES /);
    }),
  );
});

it("reads the longest text of any kind soon", () => {
  for (const unit of ["C", "C1", "(C", "C(", "[C", "CC1", "[C@@H]"]) {
    const start = performance.now();
    explainUndrawable(unit.repeat(Math.floor(LIMITS.structureLengthMax / unit.length)));
    expect(performance.now() - start, unit).toBeLessThan(1_000);
  }
});
