import { expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { fieldTree } from "../../core/catalog/field-tree.js";
import type { JsonObject } from "../../core/json.js";
import { axisOf } from "./axis-view.js";
import { headOf } from "./head-view.js";
import { recordItem } from "./record-sections.js";
import { itemsAt } from "./value-text.js";

const spr = builtInCatalog().models.get("spr")!;
const KINDS = {
  kd: "Constant of dissociation KD",
  kon: "Association rate kOn",
  koff: "Dissociation rate kOff",
} as const;
const UNITS = { kd: "nM", kon: "M^-1 s^-1", koff: "s^-1" } as const;

type Kind = keyof typeof KINDS;
const result = (kind: Kind, value: number, of = "ab", unit: string = UNITS[kind]): JsonObject => ({
  type: KINDS[kind],
  value,
  unit,
  entities_involved: [...of].map((id) => ({ entity: { id, name: id.toUpperCase() }, copy_number: 1 })),
});

const recordWith = (results: readonly JsonObject[], method: JsonObject = {}) =>
  recordItem({ general_parameters: { results }, method_specific_parameters: method }, spr, fieldTree(spr.schema), {
    writing: "words",
  });
const figuresOf = (results: readonly JsonObject[]) => {
  const { molecules, results: shown } = headOf(recordWith(results), spr);
  return [
    molecules.map(({ name }) => name).join(),
    ...shown.map(({ quantity }) => quantity.text.replaceAll("\u202f", " ")),
  ];
};

it("shows results of one pair of molecules", () => {
  const other = [result("kd", 500, "ac"), result("kon", 9e7, "ac"), result("koff", 45, "ac")];
  const best = [result("kd", 1.16), result("kon", 3.5e6), result("koff", 4.05e-3)];
  const expected = ["A,B", "1.16 nM", "3.5 × 10⁶ M⁻¹ s⁻¹", "4.05 × 10⁻³ s⁻¹"];
  expect(figuresOf([...other, ...best])).toEqual(expected);
  expect(figuresOf([...best, ...other])).toEqual(expected);
});

it("shows the rates that were deposited with the best KD, and none if that cannot be told", () => {
  const fits = [result("kd", 20), result("kon", 1), result("kd", 10), result("kon", 2)];
  expect(figuresOf(fits)).toEqual(["A,B", "10 nM", "2 M⁻¹ s⁻¹"]);
  expect(figuresOf([...fits, result("kon", 3)])).toEqual(["A,B", "10 nM"]);
});

it("compares numbers of one dimension, and leaves out a KD of 0", () => {
  expect(figuresOf([result("kd", 0.001, "ab", "µM^2"), result("kd", 1.16)])).toEqual(["A,B", "1.16 nM"]);
  expect(figuresOf([result("kd", 0, "ac"), result("kd", 7)])).toEqual(["A,B", "7 nM"]);
});

it("marks KDs on an axis only if they are about one pair", () => {
  const at = (value: number) => ({ samples: [{ analytes: [{ concentration: { value, unit: "nM" } }] }] });
  const marks = (results: readonly JsonObject[]) => {
    const root = recordWith(results, { measurements: [at(1), at(10)] });
    const list = itemsAt(root, "metadata.method_specific_parameters")[0]!.members.find(
      ({ name }) => name === "measurements",
    )!;
    const section = spr.page.sections.find(({ axis }) => axis !== undefined)!;
    return axisOf(list, section, spr)!.marks.length;
  };
  expect(marks([result("kd", 2), result("kd", 3)])).toBe(2);
  expect(marks([result("kd", 2), result("kd", 500, "ac")])).toBe(0);
});
