import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import {
  dimensionOfExpression,
  evaluateQuantities,
  parseQuantityExpression,
  type QuantityValue,
  readQuantityValue,
} from "./quantity-expressions.js";

const { units } = [...builtInCatalog().models.values()][0]!;

function parse(text: string) {
  const parsed = parseQuantityExpression(text, units);
  if ("mistake" in parsed) throw new Error(parsed.mistake);
  return parsed.expression;
}

const check = (text: string, dimensions: Readonly<Record<string, string>>, ...targets: string[]) =>
  dimensionOfExpression(parse(text), new Map(Object.entries(dimensions)), targets, units);

const evaluate = (text: string, values: Readonly<Record<string, QuantityValue>>, ...targets: string[]) =>
  evaluateQuantities(parse(text), new Map(Object.entries(values)), targets, units);

describe("dimensionOfExpression", () => {
  it("finds the dimension of the value among the allowed ones", () => {
    const allowed = ["molarity", "molarity_squared"];
    expect(check("1 / ka", { ka: "per_molarity" }, ...allowed)).toEqual({ dimension: "molarity" });
    expect(check("1 / ka", { ka: "per_molarity_squared" }, ...allowed)).toEqual({ dimension: "molarity_squared" });
    expect(check("koff / kon", { koff: "rate", kon: "association_rate" }, ...allowed)).toEqual({
      dimension: "molarity",
    });
    expect(check("c / mw", { c: "mass_concentration", mw: "molar_mass" }, ...allowed)).toEqual({
      dimension: "molarity",
    });
    expect(check("n * c / kd", { n: "dimensionless", c: "molarity", kd: "molarity" }, "dimensionless")).toEqual({
      dimension: "dimensionless",
    });
    expect(check("dh - t * ds", { dh: "molar_energy", t: "temperature", ds: "molar_entropy" }, "molar_energy")).toEqual(
      {
        dimension: "molar_energy",
      },
    );
  });

  it("says which unit was expected", () => {
    expect(check("ka * 2", { ka: "per_molarity" }, "molarity", "molarity_squared")).toEqual({
      mistake: "the expression is in mol^-1 L, and not in M or M^2",
    });
  });
});

describe("evaluateQuantities", () => {
  it("returns the number and its error in the canonical unit", () => {
    const ka = { number: 3e8, dimension: "per_molarity", error: { lower: 3e7, upper: 3e7 } };
    expect(evaluate("1 / ka", { ka }, "molarity")).toEqual({
      number: 3.33333333333e-9,
      dimension: "molarity",
      error: { lower: 3.33333333333e-10, upper: 3.33333333333e-10 },
    });
    const values = {
      kd: { number: 1e-9, dimension: "molarity" },
      temperature: { number: 298.15, dimension: "temperature" },
    };
    expect(evaluate("R * temperature * ln(kd / 1 M)", values, "molar_energy")?.number).toBeCloseTo(-51.3723, 3);
    expect(evaluate("temperature - 25 °C", values, "temperature")).toMatchObject({ number: 0 });
  });

  it("has no value in another dimension", () => {
    expect(evaluate("1 / ka", { ka: { number: 3, dimension: "per_molarity_squared" } }, "molarity")).toBeUndefined();
  });
});

describe("readQuantityValue", () => {
  const read = (object: Parameters<typeof readQuantityValue>[0], ...dimensions: string[]) =>
    readQuantityValue(object, "value", dimensions, units);

  it("converts the number and its error, which may be relative", () => {
    const value_error = { lower: 0.5, upper: -1, is_relative: false };
    expect(read({ value: 5, unit: "nM", value_error }, "molarity")).toEqual({
      number: 5e-9,
      dimension: "molarity",
      error: { lower: 5e-10, upper: 1e-9 },
    });
    const relative = { lower: 0.1, upper: 0.2, is_relative: true };
    expect(read({ value: -40, unit: "kJ/mol", value_error: relative }, "molar_energy")?.error).toEqual({
      lower: 4,
      upper: 8,
    });
    expect(read({ value: 25, unit: "°C" }, "temperature")).toEqual({ number: 298.15, dimension: "temperature" });
  });

  it("has no value without a known unit, unless the number needs none", () => {
    expect(read({ value: 5, unit: "spoons" }, "molarity")).toBeUndefined();
    expect(read({ value: 5, unit: "nM" }, "rate")).toBeUndefined();
    expect(read({ value: 5 }, "molarity")).toBeUndefined();
    expect(read({ value: "5", unit: "nM" }, "molarity")).toBeUndefined();
    expect(read({ value: 1.2 }, "dimensionless")).toMatchObject({ number: 1.2, dimension: "dimensionless" });
  });
});
