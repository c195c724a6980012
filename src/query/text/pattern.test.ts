import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { analysePattern, compileWildcards, prefixWords } from "./pattern.js";

describe("analysePattern", () => {
  const parts = (text: string) => analysePattern({ text, isEscaped: () => false });

  it("takes each syllable of Vai as a letter", () => {
    for (const syllable of ["\ua500", "\ua501", "\ua502", "\ua500\ua501", "\ua501\ua500\ua502"]) {
      expect(parts(syllable)).toEqual([{ kind: "words", words: [syllable] }]);
      expect(parts(`a ${syllable}*`)).toEqual([{ kind: "prefix", words: ["a", syllable] }]);
      expect(parts(`a${syllable}?b*`)).toEqual([{ kind: "wildcard", pattern: `a${syllable}?b*` }]);
      expect(prefixWords(`co ${syllable}`)).toEqual(["co", syllable]);
    }
  });
});

describe("compileWildcards", () => {
  it("agrees with regular expressions", () => {
    const pattern = fc.array(fc.constantFrom("a", "b", "𝼀", "*", "?"), { maxLength: 7 }).map((signs) => signs.join(""));
    const word = fc.array(fc.constantFrom("a", "b", "𝼀"), { maxLength: 7 }).map((letters) => letters.join(""));
    fc.assert(
      fc.property(pattern, word, (source, text) => {
        const regExp = new RegExp(`^${source.replaceAll("?", ".").replaceAll("*", ".*")}$`, "su");
        expect(compileWildcards(source).test(text)).toBe(regExp.test(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes no time for patterns that drive a regular expression mad", () => {
    const start = performance.now();
    expect(compileWildcards(`${"a*".repeat(100)}b`).test("a".repeat(256))).toBe(false);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});
