import { expect, it } from "vitest";
import { addAll, greatestOf, leastOf } from "./collections.js";

/** More arguments than any call takes. */
const MANY = 2_000_000;

it("appends and compares more elements than a call has arguments", () => {
  const numbers = Array.from({ length: MANY }, (_, i) => i);
  const list = [-1];
  addAll(list, numbers);
  expect([list.length, greatestOf(list), leastOf(list)]).toEqual([MANY + 1, MANY - 1, -1]);
  expect([greatestOf([]), leastOf([])]).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
});
