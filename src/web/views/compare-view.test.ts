import { expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { fieldTree } from "../../core/catalog/field-tree.js";
import type { Json, JsonObject } from "../../core/json.js";
import { plainText, type RichText } from "../notation/rich-text.js";
import { type ComparedCell, compareRecords } from "./compare-view.js";
import { recordItem, sectionsOf } from "./record-sections.js";

const model = builtInCatalog().models.get("spr")!;

/** The rows of records that differ in their results only. */
const rowsOf = (...lists: readonly (readonly Json[])[]) => comparedRows(...lists.map((results) => ({ results })));

/** The rows of records that differ in some general parameters. */
function comparedRows(...parameters: readonly JsonObject[]) {
  const records = parameters.map((general_parameters) => {
    const metadata = { general_parameters };
    const sections = sectionsOf(recordItem(metadata, model, fieldTree(model.schema), {}), model, {
      name: "rest",
      title: "Rest",
    });
    return { sections, units: model.units };
  });
  return compareRecords(records).flatMap(({ differing }) => differing);
}

const result = (value: number, unit: string): Json => ({
  id: "r1",
  name: "Affinity",
  type: "Constant of dissociation KD",
  entities_involved: [{ entity: { id: "a" } }],
  value,
  unit,
});

/** The cells of the only row, as text. */
const cellsOf = (...cells: readonly Json[]) => rowsOf(...cells.map((cell) => [cell]))[0]!.cells.map(asText);
const asText = (cell: ComparedCell | undefined) =>
  cell &&
  [cell.text, cell.converted, cell.ratio].flatMap((part) => (part === undefined ? [] : textOf(part))).join(" | ");
const textOf = (part: RichText | string) => plainText([part].flat()).replaceAll("\u202f", " ");

it("compares a number with that of the first record, also in its unit if it is shown in another one", () => {
  const cells = cellsOf(result(2.4, "nM"), result(7500, "pM"), result(1.2, "nM"), result(2.64e-6, "M"));
  expect(cells).toEqual(["2.4 nM", "7.5 nM | ×3.1", "1.2 nM | ×0.5", "2.64 µM | 2640 nM | ×1100"]);
  const apart = cellsOf(result(2, "nM"), result(4e-18, "M"), result(5, "mM")).map((cell) => cell?.split(" | ").at(-1));
  expect(apart).toEqual(["2 nM", "×2 × 10⁻⁹", "×2.5 × 10⁶"]);
});

it("has no ratio of temperatures, of signs that differ, and of what does not compare", () => {
  expect(cellsOf(result(25, "°C"), result(310.15, "K"))[1]).toBe("37 °C");
  expect(cellsOf(result(-12, "kJ/mol"), result(3, "kJ/mol"))[1]).toBe("3 kJ mol⁻¹");
  expect(cellsOf(result(2, "nM"), result(3, "s^-1"))[1]).toBe("3 s⁻¹");
});

it("knows which numbers are equal: units do not matter, and digits that are not shown do", () => {
  expect(rowsOf([result(298.15, "K")], [result(25, "°C")])).toEqual([]);
  expect(rowsOf([result(2400, "pM")], [result(2.4, "nM")])).toEqual([]);
  expect(cellsOf(result(1.23456781, "nM"), result(1.23456782, "nM"))).toEqual(["1.23456781 nM", "1.23456782 nM"]);
});

it("shows numbers as deposited if they differ, but would look the same", () => {
  expect(cellsOf(result(298.15, "K"), result(298, "K"))).toEqual(["298.15 K", "298 K"]);
  expect(cellsOf(result(298, "K"), result(310.15, "K"), result(25, "°C"))).toEqual([
    "298 K",
    "37 °C | 310.15 K",
    "25 °C",
  ]);
  expect(cellsOf(result(180.12341, "seconds"), result(180.12342, "s"))).toEqual(["180.12341 seconds", "180.12342 s"]);
  const two = (value: number) => [result(value, "K"), result(310.15, "K")];
  expect(rowsOf(two(298.15), two(298))[0]!.cells.map(asText)).toEqual(["298.15 K; 310.15 K", "298 K; 310.15 K"]);
});

const PROTEIN = {
  id: "a",
  name: "A",
  type: "Polymer",
  polymer_type: "polypeptide(L)",
  modifications: [{ position: 2 }],
};

it("neither compares a number that means “not known” nor compares others with it", () => {
  const weights = (...values: readonly (readonly [number, string])[]) =>
    comparedRows(
      ...values.map(([value, unit]) => ({
        entities_of_interest: [{ ...PROTEIN, molecular_weight: { value, unit } }],
      })),
    );
  const [row, ...others] = weights([-1, "kDa"], [14300, "Da"], [28.6, "kDa"]);
  expect(row!.cells.map(asText)).toEqual(["not known", "14.3 kDa", "28.6 kDa | ×2"]);
  expect([others, row!.cells[0]!.quantity]).toEqual([[], undefined]);
  expect(weights([14.3, "kDa"], [-1, "Da"])[0]!.cells.map(asText)).toEqual(["14.3 kDa", "not known"]);
  expect(weights([-1, "kDa"], [-1, "Da"])).toEqual([]);
});

it("knows where a record has nothing", () => {
  expect(rowsOf([result(2, "nM")], [])[0]!.cells.map(asText)).toEqual(["2 nM", undefined]);
});
