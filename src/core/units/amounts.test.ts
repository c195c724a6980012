import { describe, expect, it } from "vitest";
import { parseAmount } from "./amounts.js";

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
