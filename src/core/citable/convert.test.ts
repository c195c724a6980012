import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { convertResult } from "./convert.js";

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
