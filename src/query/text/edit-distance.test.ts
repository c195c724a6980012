import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editsBetween } from "../../../test/support/reference-evaluator.js";
import { makeEditTest } from "./edit-distance.js";

const word = fc.array(fc.constantFrom("a", "b", "c", "𝼀"), { maxLength: 7 }).map((letters) => letters.join(""));

describe("makeEditTest", () => {
  it("agrees with the whole table of distances, in whatever order it is asked", () => {
    fc.assert(
      fc.property(word, fc.constantFrom(1, 2), fc.array(word), fc.boolean(), (wanted, edits, others, isSorted) => {
        const test = makeEditTest(wanted, edits);
        for (const other of isSorted ? others.sort() : others) {
          expect(test(other), other).toBe(editsBetween([...wanted], [...other]) <= edits);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it("counts a swap of neighbours as one edit, and touches no character twice", () => {
    expect(makeEditTest("lysozyme", 1)("lyszoyme")).toBe(true);
    expect(makeEditTest("ca", 2)("abc")).toBe(false);
  });
});
