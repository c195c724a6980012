import { expect, it } from "vitest";
import { TINY_UNITS } from "../../../test/support/tiny-catalog.js";
import { readAmount } from "./read-amount.js";
import { Scanner } from "./scan.js";

it.each<[string, string, string]>([
  ["1.2 × 10⁻⁸ M AND x", "1.2e-8M", " AND x"],
  ["10^-2 nM)", "1e-2nM", ")"],
  ["1 M^-1 s^-1 lysozyme", "1M^-1 s^-1", " lysozyme"],
])("is read with its unit: %s", (text, amount, rest) => {
  const scanner = new Scanner(text);
  expect(readAmount(scanner, TINY_UNITS)).toBe(amount);
  expect(text.slice(scanner.at)).toBe(rest);
});
