import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { convertResult, writeResult } from "./record-results.js";

it.each([
  [{ value: 2.4, unit: "nM" }, "2.4 nM"],
  [{ value: 2.4, unit: "nM", error: { lower: 0.3, upper: 0.3, isRelative: false } }, "2.4 ± 0.3 nM"],
  [{ value: 2.4, unit: "nM", error: { lower: -0.1, upper: 0.3, isRelative: false } }, "2.4 (−0.1, +0.3) nM"],
  [{ value: 11, unit: "ng/mL", error: { lower: 0.11, upper: 0.11, isRelative: true } }, "11 ng/mL (± 11 %)"],
  [{ value: 11, unit: "ng/mL", error: { lower: -0.1, upper: 0.2, isRelative: true } }, "11 ng/mL (−10 %, +20 %)"],
  [{ value: 50, unit: "v/v %", error: { lower: 0.05, upper: 0.05, isRelative: true } }, "50 v/v % (± 5 %)"],
  [{ value: 1.4, error: { lower: 0.1, upper: 0.1, isRelative: true } }, "1.4 (± 10 %)"],
  [{ unit: "nM" }, undefined],
])("writes %j as %s: the unit is never that of a relative error", (amount, text) => {
  expect(writeResult(amount)).toBe(text);
});

const { units } = builtInCatalog().models.get("spr")!;
const unit = (name: string) => units.units.get(name)!;
const convert = (given: Parameters<typeof convertResult>[0], to: string) => convertResult(given, unit(to), units);

describe("a number in another unit", () => {
  it("says no digits that it did not have", () => {
    expect(convert({ value: 2.4e-9, unit: "M" }, "nM")).toEqual({ value: 2.4, unit: "nM" });
    expect(convert({ value: 0.3, unit: "uM" }, "nM")).toEqual({ value: 300, unit: "nM" });
    expect(convert({ value: 25, unit: "°C" }, "K")).toEqual({ value: 298.15, unit: "K" });
  });

  it("has its error beside it: of a temperature it is a difference, and a relative one stays", () => {
    const error = { lower: -1, upper: 2, isRelative: false };
    expect(convert({ value: 25, unit: "°C", error }, "K")!.error).toEqual(error);
    expect(convert({ value: 3, unit: "µM", error }, "nM")!.error).toEqual({ ...error, lower: -1000, upper: 2000 });
    const relative = { lower: -0.1, upper: 0.1, isRelative: true };
    expect(convert({ value: 3, unit: "µM", error: relative }, "nM")!.error).toEqual(relative);
  });

  it("is none where it is of something else, or of no unit", () => {
    expect(convert({ value: 3, unit: "M^2" }, "nM")).toBeUndefined();
    expect(convert({ value: 3, unit: "spoons" }, "nM")).toBeUndefined();
    expect(convert({ value: 3 }, "nM")).toBeUndefined();
    expect(convert({ unit: "nM" }, "µM")).toBeUndefined();
  });
});
