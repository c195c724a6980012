import fc from "fast-check";
import { expect, it } from "vitest";
import { countEdits, nearestNames } from "./nearest.js";

it.each([
  ["", "", 0],
  ["abc", "abc", 0],
  ["abc", "", 3],
  ["abc", "abd", 1],
  ["abc", "acb", 1],
  ["lysozyme", "lyzosyme", 2],
  ["kitten", "sitting", 3],
])("%j and %j are %i edits apart", (a, b, edits) => {
  expect(countEdits(a, b)).toBe(edits);
  expect(countEdits(b, a)).toBe(edits);
});

it("may stop counting beyond a bound, and then returns a number beyond it", () => {
  const text = fc.string({ unit: fc.constantFrom(..."abcé"), maxLength: 12 });
  fc.assert(
    fc.property(text, text, fc.nat(12), (a, b, most) => {
      const edits = countEdits(a, b);
      const bounded = countEdits(a, b, most);
      expect(edits <= most ? bounded : Math.min(bounded, most + 1)).toBe(Math.min(edits, most + 1));
    }),
    { numRuns: 2_000 },
  );
});

it("finds every name within a third of its length", () => {
  const text = fc.string({ unit: fc.constantFrom(..."abcdé "), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const isNear = countEdits(a, b) <= Math.max(1, Math.floor(Math.max(a.length, b.length) / 3));
      if (isNear) expect(nearestNames(a, [b], 1)).toEqual([b]);
    }),
    { numRuns: 2_000 },
  );
});

it("names the nearest first and leaves out what is far", () => {
  expect(nearestNames("titel", ["page", "title", "titles", "subtitle"], 5)).toEqual(["title", "titles"]);
});

it("finds a name that was only begun, whatever its capitals", () => {
  expect(nearestNames("Organ", ["organism", "instrument"], 5)).toEqual(["organism"]);
});

it("takes u for micro, however that is written", () => {
  expect(nearestNames("uM", ["M", "mM", "µM", "nM"], 1)).toEqual(["µM"]);
  expect(nearestNames("μM", ["M", "mM", "µM"], 1)).toEqual(["µM"]);
});

it("names no more than asked for, equally near ones by code point", () => {
  expect(nearestNames("b", ["d", "c", "a"], 2)).toEqual(["a", "c"]);
});

it("finds nothing near to nothing, nor to a text that no name is as long as", () => {
  expect(nearestNames("", ["title"], 5)).toEqual([]);
  expect(nearestNames("title".repeat(100_000), ["title"], 5)).toEqual([]);
});
