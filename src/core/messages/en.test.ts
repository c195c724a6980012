import { expect, it } from "vitest";
import { ISSUE_CODES } from "../issue.js";
import { EN, messagesIn } from "./en.js";

const isCode = (key: string): boolean => /^[A-Z]/.test(key);

it("has sentences for codes of the catalogue of codes only", () => {
  const codes = Object.keys(EN).filter(isCode);
  expect(codes.length).toBeGreaterThan(20);
  expect(codes.filter((code) => !Object.hasOwn(ISSUE_CODES, code))).toEqual([]);
});

it("is what a language without messages of its own gets", () => {
  for (const lang of ["en", "cs", "constructor", undefined]) expect(messagesIn(lang)).toBe(EN);
});

it("names an item by its title and number, or by its list", () => {
  expect(EN.item("Sample", "Samples", 2)).toBe("Sample 2");
  expect(EN.item("", "Samples", 2)).toBe("Samples, item 2");
  expect(EN.within("Name", ["Sample 2", "Step 1"])).toBe("Name (Sample 2; Step 1)");
});

it("counts in words that fit the number", () => {
  expect(EN.TOO_FEW_ITEMS({ label: "Steps", min: 1, isRequired: true })).toBe("Steps must have at least one entry.");
  expect(EN.TOO_MANY_ITEMS({ label: "Steps", max: 2 })).toBe("Steps must have at most 2 entries.");
  expect(EN.MORE_PROBLEMS({ count: 1 })).toBe("There is 1 more problem.");
});
