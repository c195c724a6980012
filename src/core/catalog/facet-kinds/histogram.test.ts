import { expect, it } from "vitest";
import { describeNumber, describeRange } from "./histogram.js";

it.each<[number, string | undefined, string]>([
  [1e-12, "M", "1 pM"],
  [1e-11, "M", "10 pM"],
  [1e-7, "M", "100 nM"],
  [3e-7, "M", "300 nM"],
  [2.5e-6, "M", "2.5 µM"],
  [0.01, "M", "10 mM"],
  [1, "M", "1 M"],
  [0, "M", "0 M"],
  [-0.002, "V", "-2 mV"],
  [12_500, "Da", "12.5 kDa"],
  [1e-24, "M", "1e-24 M"],
  [0.001, "s^-1", "0.001 s^-1"],
  [37, "°C", "37 °C"],
  [7.4, undefined, "7.4"],
  [1e-7, undefined, "1e-7"],
])("%d %s reads %s", (value, unit, text) => expect(describeNumber(value, unit)).toBe(text));

it("says which end a range lacks", () => {
  expect(describeRange({ to: 1e-12 }, "M")).toBe("< 1 pM");
  expect(describeRange({ from: 1e-9, to: 1e-8 }, "M")).toBe("1 nM – 10 nM");
  expect(describeRange({ from: 0.01 }, "M")).toBe("≥ 10 mM");
  expect(describeRange({ from: 6, to: 7 })).toBe("6 – 7");
});
