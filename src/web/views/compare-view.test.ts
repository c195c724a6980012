import { expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { fieldTree } from "../../core/catalog/field-tree.js";
import type { Json, JsonObject } from "../../core/json.js";
import { compareRecords } from "./compare-view.js";
import { sectionsOf } from "./record-sections.js";

const model = builtInCatalog().models.get("spr")!;

/** The rows of records that differ in their results only. */
function rowsOf(...results: readonly (readonly Json[])[]) {
  const records = results.map((list) => {
    const metadata = { general_parameters: { results: list } } as JsonObject;
    const sections = sectionsOf(metadata, model, fieldTree(model.schema), { rest: { name: "rest", title: "Rest" } });
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

it("says a number in the unit of the first record, and how many times as large it is", () => {
  const [row] = rowsOf([result(2.4, "nM")], [result(7500, "pM")], [result(1.2, "nM")]);
  expect(row!.cells).toEqual([
    { text: "2.4 nM" },
    { text: "7500 pM", converted: "7.5 nM", ratio: "×3.1" },
    { text: "1.2 nM", ratio: "×0.5" },
  ]);
});

it("has no ratio of temperatures, of signs that differ, and of what does not compare", () => {
  const cellsOf = (...cells: readonly Json[]) => rowsOf(...cells.map((cell) => [cell]))[0]!.cells;
  expect(cellsOf(result(25, "°C"), result(310.15, "K"))[1]).toEqual({ text: "310.15 K", converted: "37 °C" });
  expect(cellsOf(result(-12, "kJ/mol"), result(3, "kJ/mol"))[1]).toEqual({ text: "3 kJ/mol" });
  expect(cellsOf(result(2, "nM"), result(3, "s^-1"))[1]).toEqual({ text: "3 s⁻¹" });
});

it("knows where a record has nothing", () => {
  expect(rowsOf([result(2, "nM")], [])[0]!.cells).toEqual([{ text: "2 nM" }, undefined]);
});
