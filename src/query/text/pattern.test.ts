import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern } from "./pattern.js";

describe("compilePattern", () => {
  it("agrees with regular expressions", () => {
    const pattern = fc.array(fc.constantFrom("a", "b", "𝼀", "*", "?"), { maxLength: 7 }).map((signs) => signs.join(""));
    const word = fc.array(fc.constantFrom("a", "b", "𝼀"), { maxLength: 7 }).map((letters) => letters.join(""));
    fc.assert(
      fc.property(pattern, word, (source, text) => {
        const regExp = new RegExp(`^${source.replaceAll("?", ".").replaceAll("*", ".*")}$`, "su");
        expect(compilePattern(source).test(text)).toBe(regExp.test(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes no time for patterns that drive a regular expression mad", () => {
    const start = performance.now();
    expect(compilePattern(`${"a*".repeat(100)}b`).test("a".repeat(256))).toBe(false);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
