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
