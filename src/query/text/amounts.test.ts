import { describe, expect, it } from "vitest";
import { TINY_UNITS } from "../../../test/support/tiny-catalog.js";
import { parseAmount, readAmount } from "./amounts.js";
import { Scanner } from "./scan.js";

describe("a number", () => {
  it.each<[string, number, string]>([
    ["10nM", 10, "nM"],
    ["-.5e-3 M^-1 s^-1", -0.0005, "M^-1 s^-1"],
    ["−40 kJ/mol", -40, "kJ/mol"],
    ["10⁻⁸ M", 1e-8, "M"],
    ["10^-8M", 1e-8, "M"],
    ["-10²", -100, ""],
    ["1.2×10⁻⁸M", 1.2e-8, "M"],
    ["1.2 x 10^−8 M", 1.2e-8, "M"],
    ["5·10⁺⁵/M/s", 5e5, "/M/s"],
    ["1*10^12", 1e12, ""],
    ["110⁻⁸", 110, "⁻⁸"],
    ["2 ×10 M", 2, "×10 M"],
    ["7 M²", 7, "M²"],
  ])("reads %s", (text, number, unit) => expect(parseAmount(text)).toEqual({ number, unit }));

  it.each(["nM", "", "1e999", "9×10⁹⁹⁹"])("is none: %j", (text) => expect(parseAmount(text)).toBeUndefined());
});

it.each<[string, string, string]>([
  ["1.2 × 10⁻⁸ M AND x", "1.2e-8M", " AND x"],
  ["10^-2 nM)", "1e-2nM", ")"],
  ["1 M^-1 s^-1 lysozyme", "1M^-1 s^-1", " lysozyme"],
])("is read with its unit: %s", (text, amount, rest) => {
  const scanner = new Scanner(text);
  expect(readAmount(scanner, TINY_UNITS)).toBe(amount);
  expect(text.slice(scanner.at)).toBe(rest);
});
