import { expect, it } from "vitest";
import { writeResult } from "./record-results.js";

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
