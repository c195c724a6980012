import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeEditTest } from "../../../query/text/edit-distance.js";
import { nearPrefixes, nearWords } from "./count-near-words.js";

const word = (minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom("a", "b", "c", "𝟀", "大"), { minLength, maxLength }).map((letters) => letters.join(""));

/** As OpenSearch reads it: of a whole word, by code points. */
const compile = (expression: string): RegExp => new RegExp(`^(?:${expression})$`, "su");

describe("expressions of near words", () => {
  it.each([1, 2] as const)("fit exactly the words within %i edits", (edits) => {
    fc.assert(
      fc.property(word(1, 9), fc.array(word(0, 11), { minLength: 30, maxLength: 30 }), (wanted, others) => {
        const [expression, isNear] = [compile(nearWords(wanted, edits)), makeEditTest(wanted, edits)];
        for (const other of others) expect([other, expression.test(other)]).toEqual([other, isNear(other)]);
      }),
      { numRuns: 300 },
    );
  });

  it.each([1, 2] as const)("fit what begins with a word within %i edits", (edits) => {
    fc.assert(
      fc.property(word(3, 9), fc.array(word(0, 14), { minLength: 30, maxLength: 30 }), (wanted, others) => {
        const [expression, isNear] = [compile(nearPrefixes(wanted, edits)), makeEditTest(wanted, edits)];
        for (const other of others) {
          const letters = [...other];
          const begins = letters.some((_, i) => isNear(letters.slice(0, i + 1).join("")));
          expect([other, expression.test(other)]).toEqual([other, begins]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("are short enough for the longest word", () => {
    expect(nearPrefixes("a".repeat(20), 2).length).toBeLessThan(4_000);
    expect(nearPrefixes("a".repeat(256), 2).length).toBeLessThan(500_000);
  });
});
