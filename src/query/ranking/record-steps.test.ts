import { expect, it } from "vitest";
import type { Clause } from "../index-model/clause.js";
import { bestMatchRecordSteps } from "./record-steps.js";

const words: Clause = { kind: "words", place: { in: "text" }, words: ["a", "b"] };
const fielded: Clause = { kind: "words", place: { in: "paths", paths: ["metadata.title"] }, words: ["a"] };
const numbers = (clause: Clause, plain?: string[]): number[] =>
  bestMatchRecordSteps({ clause, ...(plain && { plain }) }).map(({ number }) => number);

it("looks at whole values where the query is words, and at weights where it has text of no field", () => {
  expect(numbers(words, ["a", "b"])).toEqual([1, 2, 3, 4, 5, 6]);
  expect(numbers(words)).toEqual([4, 5, 6]);
  expect(numbers({ kind: "all", of: [fielded, { kind: "element", path: "samples", of: words }] })).toEqual([4, 5, 6]);
  expect(numbers(fielded)).toEqual([6]);
  expect(numbers({ kind: "all", of: [fielded, { kind: "not", of: words }] })).toEqual([6]);
});
