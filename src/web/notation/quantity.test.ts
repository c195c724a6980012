import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtInCatalog } from "../../../test/support/catalog.js";
import { convertNumber, type DepositedNumber } from "../../core/citable/record-results.js";
import { findUnit, type Unit } from "../../core/units/units.js";
import { numberColumn } from "./columns.js";
import { readDecimal } from "./decimal.js";
import { type Quantity, readQuantity, richQuantity, unitlessNumberText, unitOfColumn } from "./quantity.js";
import { plainText, THIN } from "./rich-text.js";

const { units } = builtInCatalog().models.get("spr")!;

/** Numbers as people deposit them: one to eight digits, very small to very large. */
const number = fc
  .tuple(fc.integer({ min: 1, max: 99_999_999 }), fc.integer({ min: -18, max: 12 }), fc.boolean())
  .map(([digits, power, isNegative]) => Number(`${isNegative ? "-" : ""}${digits}e${power}`));
const unitName = fc.constantFrom(...units.units.keys(), "ng/mL", "mg/mL", "Hz", "seconds", "ml");
const error = fc.oneof(
  fc.constant(undefined),
  number.map((bound) => ({ lower: bound, upper: bound, isRelative: false })),
  fc.tuple(number, number).map(([lower, upper]) => ({ lower, upper, isRelative: false })),
);
const measured: fc.Arbitrary<DepositedNumber & { readonly value: number; readonly unit: string }> = fc.record({
  value: number,
  unit: unitName,
  error,
});

const POWER = "(?: × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?";
/** An error may have a power of its own. */
const BOUND = `([\\d.]+(?: × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)`;
const QUANTITY = new RegExp(
  `^\\(?(−?[\\d.]+)(?: ± ${BOUND}| \\(−${BOUND}, \\+${BOUND}\\))?\\)?${POWER}(?:\\u202f(.+))?$`,
);

const exponentOf = (power = "⁰"): number =>
  Number(power.replaceAll(/./g, (sign) => "-0123456789"["⁻⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(sign)]!));

/** The numbers of a text: digits as written, the power of ten, the unit. */
function partsOf(text: string) {
  const [, value, both, lower = both, upper = both, power, unit = "unitless"] = QUANTITY.exec(text)!;
  const exponent = exponentOf(power);
  const boundOf = (bound: string | undefined) => {
    const [written = "", own] = bound?.split(" × 10") ?? [];
    return { written, exponent: exponent + exponentOf(own) };
  };
  return {
    value: value!.replace("−", "-"),
    lower: boundOf(lower),
    upper: boundOf(upper),
    exponent,
    unit: findUnit(units, unit.replaceAll(THIN, " "))!,
  };
}

/** Half of the last digit of a number as written, and a little for the arithmetic. Zeros of tens may be rounded. */
function tolerance(written: string, exponent: number): number {
  const [whole = "", decimals] = written.split(".");
  const last = decimals === undefined ? whole.length - whole.replace(/(?<=\d)0+$/, "").length : -decimals.length;
  return 0.5000001 * 10 ** (exponent + last);
}

/** Digits of a number as written, without zeros at its start. */
const digitsOf = (written: string): number => written.replace(/[-.]/g, "").replace(/^0+(?=\d)/, "").length;

/** Digits of a deposited number in its shortest form; zeros at the end of a whole number count. */
function depositedDigits(value: number): number {
  const { digits, exponent } = readDecimal(value);
  return digits.length + (/e/.test(String(value)) ? 0 : Math.max(0, exponent));
}

const toUnit = (value: number, from: Unit, to: Unit): number => (from === to ? value : convertNumber(value, from, to));

describe("a quantity", () => {
  it("reads back as it was deposited, within half of the last digit that is shown", () => {
    fc.assert(
      fc.property(measured, (given) => {
        const { value, exponent, unit } = partsOf(readQuantity(given, units)!.text);
        const expected = toUnit(given.value, findUnit(units, given.unit)!, unit);
        const slack = Math.abs(expected) * 1e-9;
        const read = Number(value) * 10 ** exponent;
        expect(Math.abs(read - expected)).toBeLessThanOrEqual(tolerance(value, exponent) + slack);
      }),
      { numRuns: 3_000 },
    );
  });

  it("is rounded once where the scale has another zero", () => {
    const error = { lower: 1, upper: 1, isRelative: false };
    expect(plainText(richQuantity(readQuantity({ value: 151_998.6, unit: "K", error }, units)!))).toContain("151725 ");
  });

  it("never shows more digits than were deposited, nor more than six; with an error four, or as many as it has", () => {
    fc.assert(
      fc.property(measured, (given) => {
        const { value, unit, exponent, lower, upper } = partsOf(readQuantity(given, units)!.text);
        const from = findUnit(units, given.unit)!;
        const significant = value.includes(".") ? digitsOf(value) : digitsOf(value.replace(/0+$/, ""));
        const placeOf = (number: number): number => Math.floor(Math.log10(Math.abs(number)) + 1e-9);
        const errorPlaces = [lower, upper].map((bound) => placeOf(Number(bound.written)) + bound.exponent);
        // One digit more if the error was rounded up: 0.0095 to 0.01.
        const toError = placeOf(Number(value)) + exponent - Math.min(...errorPlaces) + 2;
        const isMoved = from.offset !== unit.offset;
        const most = given.error === undefined ? 6 : Math.max(isMoved ? 6 : 4, toError);
        expect(significant).toBeLessThanOrEqual(most);
        // The zero of another scale changes the digits: there, the decimals count. A calculated number has its own.
        const ratio = Math.log10(from.factor / unit.factor);
        if (!isMoved && Math.abs(ratio - Math.round(ratio)) < 1e-9) {
          expect(significant).toBeLessThanOrEqual(depositedDigits(given.value));
        } else if (!isMoved)
          expect(significant).toBeLessThanOrEqual(Math.max(4, given.error === undefined ? 0 : toError));
        else {
          const decimals = (text: string): number => text.split(".")[1]?.length ?? 0;
          expect(decimals(value) - exponent).toBeLessThanOrEqual(Math.max(0, -readDecimal(given.value).exponent));
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it("is from 1 to below 1000 where its unit has a prefix that makes it so", () => {
    const prefixed = fc.constantFrom("nM", "µM", "pM", "mM", "kDa", "nm", "µl", "ng/mL", "mg/mL", "mg", "mmol/kg");
    fc.assert(
      fc.property(prefixed, fc.double({ min: 1.001, max: 999, noNaN: true }), error, (unit, size, bounds) => {
        const value = Number(size.toPrecision(5));
        for (const factor of [1e-3, 1, 1e3]) {
          const text = readQuantity(
            { value: Number((value * factor).toPrecision(6)), unit, error: bounds },
            units,
          )!.text;
          const shown = partsOf(text);
          const names = units.dimensions.get(shown.unit.dimension)!.scales[0]!.map(({ spelling }) => spelling);
          const end = [names[0], names.at(-1)].map((name) => findUnit(units, name!)!.name);
          if (end.includes(shown.unit.name)) continue;
          expect(Number(shown.value)).toBeGreaterThanOrEqual(1);
          expect(Number(shown.value)).toBeLessThan(1000);
          expect(shown.exponent).toBe(0);
        }
      }),
    );
  });

  it("shares prefix and power with its error, which reads back too", () => {
    const withError = measured.filter(({ error: bounds }) => bounds !== undefined);
    fc.assert(
      fc.property(withError, (given) => {
        const { value, lower, upper, exponent, unit } = partsOf(readQuantity(given, units)!.text);
        const from = findUnit(units, given.unit)!;
        for (const [shown, bound] of [
          [lower, given.error!.lower],
          [upper, given.error!.upper],
        ] as const) {
          const expected = (Math.abs(bound) * from.factor) / unit.factor;
          const read = Number(shown.written) * 10 ** shown.exponent;
          const last = Math.max(tolerance(shown.written, shown.exponent), expected * 0.5000001 * 1e-3);
          expect(Math.abs(read - expected)).toBeLessThanOrEqual(last * 1.0001);
          const written = Math.abs(Number(value)) * 10 ** exponent;
          const deposited = Math.abs(toUnit(given.value, from, unit));
          // What the value lost is less than its error, unless it never had so many digits.
          expect(Math.abs(written - deposited)).toBeLessThanOrEqual(
            Math.max(expected, deposited * 1e-9, tolerance(value, exponent)),
          );
          expect(read).toBeGreaterThan(0);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("is the same text as HTML and as attribute, and says what was deposited if it shows something else", () => {
    fc.assert(
      fc.property(measured, (given) => {
        const quantity = readQuantity(given, units)!;
        expect(plainText(richQuantity(quantity))).toBe(quantity.text);
        expect(quantity.text).not.toMatch(/-|NaN|undefined|[eE][+-]\d/);
        const shown = partsOf(quantity.text);
        if (Number(shown.value) !== given.value) expect(quantity.deposited).toContain(String(given.value));
      }),
    );
  });
});

it("shows a number as deposited on request, and in a chosen unit", () => {
  const given = { value: 3.19e-7, unit: "M", error: { lower: 4.3e-8, upper: 4.3e-8, isRelative: false } };
  expect(readQuantity(given, units, "deposited")!.text).toBe("3.19e-7 ± 4.3e-8 M");
  expect(readQuantity(given, units, units.units.get("µM"))!.text).toBe(`0.319 ± 0.043${THIN}µM`);
  expect(readQuantity(given, units, units.units.get("K"))!.text).toBe(`319 ± 43${THIN}nM`);
});

it("has no rounding errors of calculations, but says that they were deposited", () => {
  const shown = readQuantity({ value: 5.6000000000000005, unit: "nm" }, units)!;
  expect([shown.text, shown.deposited]).toEqual([`5.6${THIN}nm`, "5.6000000000000005 nm"]);
});

it("has both readings of a relative error, and what was deposited", () => {
  const relative = { lower: 0.11, upper: 0.11, isRelative: true };
  expect(readQuantity({ value: 11, unit: "ng/mL", error: relative }, units)).toMatchObject({
    deposited: undefined,
    bothErrors: [`± 11${THIN}%`, `± 1.2${THIN}ng/mL`],
  });
  expect(readQuantity({ value: 180, unit: "seconds" }, units)!.deposited).toBe("180 seconds");
  expect(readQuantity({ value: 25, unit: "°C" }, units)!.deposited).toBeUndefined();
});

it("keeps all digits of numbers without a unit", () => {
  fc.assert(
    fc.property(number, (value) => {
      const text = plainText(unitlessNumberText(value));
      const { value: shown, exponent } = partsOf(text);
      expect(Number(`${shown}e${exponent}`)).toBe(value);
    }),
  );
});

describe("a column of numbers", () => {
  const column = (...values: readonly (readonly [number, string])[]) =>
    numberColumn(values.map(([value, unit]): Quantity => readQuantity({ value, unit }, units)!));

  it("has the unit in its head if all numbers share it, and knows how much follows the points", () => {
    expect(column([298.15, "K"], [25.55, "°C"])).toEqual({ unit: ["°C"], rest: 3 });
    expect(column([2.5, "nM"], [300, "pM"])).toEqual({ unit: undefined, rest: `.5${THIN}nM`.length });
    expect(column([2.5, "nM"])).toEqual({ unit: undefined, rest: 0 });
    expect(column([2, "unitless"], [3, "unitless"])).toEqual({ unit: undefined, rest: 0 });
  });

  it("has the unit of its median, if its numbers are of one quantity", () => {
    const unitOf = (...values: readonly (readonly [number, string])[]) =>
      unitOfColumn(
        values.map(([value, unit]) => ({ value, unit })),
        units,
      )?.spelling;
    expect(unitOf([2, "pM"], [30, "nM"], [0.5, "µM"])).toBe("nM");
    expect(unitOf([0, "M"], [300, "pM"], [2, "mM"], [7000, "pM"])).toBe("nM");
    expect(unitOf([298.15, "K"])).toBe("°C");
    expect(unitOf([2, "nM"], [5, "g/L"])).toBeUndefined();
    expect(unitOf([2, "nM"], [5, "furlong"])).toBeUndefined();
  });
});
