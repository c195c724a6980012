import { describe, expect, it } from "vitest";
import { evaluateExpression, type NumberWithError, unitOfExpression } from "./evaluate-expression.js";
import { type Expression, parseExpression } from "./expression.js";
import { multiplyUnits, NO_UNIT, printUnit, type UnitProduct } from "./unit-product.js";

const M: UnitProduct = { factor: 1, powers: new Map([["M", 1]]) };
const K: UnitProduct = { factor: 1, powers: new Map([["K", 1]]) };
const KJ_PER_MOL: UnitProduct = {
  factor: 1000,
  powers: new Map([
    ["J", 1],
    ["mol", -1],
  ]),
};
const PER_M = multiplyUnits(NO_UNIT, M, -1);

const readAmount = (number: number, unit: string) => {
  if (unit === "nM") return { number: number * 1e-9, unit: M };
  return unit === "M" ? { number, unit: M } : undefined;
};

function parse(text: string): Expression {
  const parsed = parseExpression(text, readAmount);
  if ("mistake" in parsed) throw new Error(parsed.mistake);
  return parsed.expression;
}

const mistakeIn = (text: string): string | undefined => {
  const parsed = parseExpression(text, readAmount);
  return "mistake" in parsed ? parsed.mistake : undefined;
};

const evaluate = (text: string, values: Readonly<Record<string, NumberWithError>> = {}): NumberWithError | undefined =>
  evaluateExpression(parse(text), new Map(Object.entries(values)));

describe("parseExpression", () => {
  it("reads operators by their precedence, from left to right", () => {
    const numbers = ["1 + 2 * 3", "(1 + 2) * 3", "8 / 4 / 2", "8 - 4 - 2", "-2 * -3", "2 − 3 × 4 · 1", "- (1 + 1)"];
    expect(numbers.map((text) => evaluate(text)?.number)).toEqual([7, 9, 1, 2, 6, -10, -2]);
  });

  it("reads numbers with exponents, units and functions", () => {
    expect(evaluate("1.5e3 / 1e3")?.number).toBe(1.5);
    expect(evaluate("ln(1) + log10(1000) + exp(0)")?.number).toBeCloseTo(4, 12);
    expect(evaluate("5 nM * 2")).toEqual({ number: 5e-9 * 2, unit: M, error: { lower: 0, upper: 0 } });
  });

  it("lists the names of quantities once, without constants", () => {
    expect(parse("R * temperature * ln(kd / 1 M) + kd_2 / kd").names).toEqual(["temperature", "kd", "kd_2"]);
  });

  it.each([
    ["", "the expression ends where a number or a name is expected"],
    ["1 /", "the expression ends where a number or a name is expected"],
    ["1 / * ka", '"*" stands where a number or a name is expected'],
    ["(1 + ka", 'a ")" is missing'],
    ["ln(ka", 'a ")" is missing'],
    ["ka kd", '"kd" is not expected after a complete expression'],
    ["1 / ka)", '")" is not expected after a complete expression'],
    ["2 ka", '"ka" is not a unit; factors have a "*" between them'],
    ["sin(ka)", 'there is no function "sin"; known are ln, log10, exp'],
    ["ka ^ 2", '"^ 2" cannot be read'],
  ])("says what is wrong with %j", (text, mistake) => {
    expect(mistakeIn(text)).toBe(mistake);
  });
});

describe("unitOfExpression", () => {
  const unitOf = (text: string, units: Readonly<Record<string, UnitProduct>>) => {
    const result = unitOfExpression(parse(text), new Map(Object.entries(units)));
    return "mistake" in result ? result.mistake : printUnit(result.unit);
  };

  it("multiplies and divides units", () => {
    expect(unitOf("1 / ka", { ka: PER_M })).toBe("M");
    expect(unitOf("R * t * ln(kd / 1 M)", { t: K, kd: M })).toBe("J mol^-1");
    expect(unitOf("kd / kd", { kd: M })).toBe("no unit");
  });

  it("refuses sums of different units, and functions of numbers with a unit", () => {
    expect(unitOf("dg - t", { dg: KJ_PER_MOL, t: K })).toBe("J mol^-1 and K cannot be subtracted");
    expect(unitOf("kd + 1", { kd: M })).toBe("M and no unit cannot be added");
    expect(unitOf("ln(kd)", { kd: M })).toBe("ln() needs a number without a unit, not one in M; divide it by its unit");
    expect(unitOf("kd / kon", { kd: M })).toBe('there is no value of "kon"');
  });
});

describe("evaluateExpression", () => {
  it("computes in base units", () => {
    const dh = { number: -40, unit: KJ_PER_MOL };
    expect(evaluate("dh / 2", { dh })).toEqual({
      number: -20_000,
      unit: { ...KJ_PER_MOL, factor: 1 },
      error: undefined,
    });
    const dg = evaluate("R * t * ln(kd / 1 M)", { t: { number: 298.15, unit: K }, kd: { number: 1e-9, unit: M } });
    expect(dg?.number).toBeCloseTo(-51_372.3, 0);
  });

  it("has no value if the result is not a finite number or its units do not agree", () => {
    const kd = (number: number) => ({ kd: { number, unit: M } });
    expect(evaluate("1 / kd", kd(0))).toBeUndefined();
    expect(evaluate("ln(kd / 1 M)", kd(-1))).toBeUndefined();
    expect(evaluate("ln(kd / 1 M)", kd(0))).toBeUndefined();
    expect(evaluate("kd * 1e308", kd(1e10))).toBeUndefined();
    expect(evaluate("kd + 1", kd(1))).toBeUndefined();
    expect(evaluate("kd + kon", kd(1))).toBeUndefined();
  });

  it("swaps the bounds of an error where the value falls", () => {
    const ka = { number: 2e8, unit: PER_M, error: { lower: 1e7, upper: 4e7 } };
    const error = evaluate("1 / ka", { ka })?.error;
    expect(error?.lower).toBeCloseTo(4e7 / 4e16, 15);
    expect(error?.upper).toBeCloseTo(1e7 / 4e16, 15);
  });

  it("adds the squares of independent errors, and counts a repeated name once", () => {
    const [a, b] = [3, 4].map((error) => ({ number: 10, unit: NO_UNIT, error: { lower: error, upper: error } }));
    const errorOf = (text: string) => evaluate(text, { a: a!, b: b! })?.error?.upper;
    expect(errorOf("a + b")).toBe(5);
    expect(errorOf("a - b")).toBe(5);
    expect(errorOf("a + a")).toBe(6);
    expect(errorOf("a - a")).toBe(0);
    expect(errorOf("a * b")).toBeCloseTo(50, 10);
    expect(errorOf("a / b")).toBeCloseTo(0.5, 10);
    expect(errorOf("ln(a)")).toBeCloseTo(0.3, 10);
    expect(errorOf("log10(a)")).toBeCloseTo(0.3 / Math.LN10, 10);
    expect(errorOf("exp(a / 10)")).toBeCloseTo(0.3 * Math.E, 10);
    expect(errorOf("2 * a")).toBe(6);
  });

  it("has an error only if all values have one; an exact value has an error of 0", () => {
    const a = { number: 10, unit: NO_UNIT, error: { lower: 1, upper: 1 } };
    expect(evaluate("a * b", { a, b: { number: 2, unit: NO_UNIT } })?.error).toBeUndefined();
    const exact = { number: 2, unit: NO_UNIT, error: { lower: 0, upper: 0 } };
    expect(evaluate("a * b", { a, b: exact })?.error).toEqual({ lower: 2, upper: 2 });
  });
});
