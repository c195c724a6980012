import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutFragments } from "./highlight.js";

const words = (count: number, word = "word"): string =>
  Array.from({ length: count }, (_, i) => `${word}${i}`).join(" ");

function markOf(text: string, part: string) {
  const from = text.indexOf(part);
  return { from, to: from + part.length };
}

describe("cutFragments", () => {
  it("leaves a short text whole, escapes it, and joins marks that touch", () => {
    const text = `a<b>"c"&'d'`;
    expect(cutFragments(text, [markOf(text, "<b"), markOf(text, "b>"), markOf(text, "d")], 3)).toEqual([
      "a<em>&lt;b&gt;</em>&quot;c&quot;&amp;&#39;<em>d</em>&#39;",
    ]);
  });

  it("cuts a long text at words around its marks", () => {
    const text = words(200);
    const marks = [markOf(text, "word0"), markOf(text, "word100"), markOf(text, "word101"), markOf(text, "word199")];
    const [first, second, third] = cutFragments(text, marks, 3);
    expect(first).toMatch(/^<em>word0<\/em> word1 .* word\d+ …$/u);
    expect(second).toMatch(/^… word\d+ .*word99 <em>word100<\/em> <em>word101<\/em> word102 .* word\d+ …$/u);
    expect(third).toMatch(/^… word\d+ .*word198 <em>word199<\/em>$/u);
    expect(cutFragments(text, marks, 2)).toEqual([first, second]);
  });

  it("cuts what has no blanks between characters", () => {
    const letter = "e\u0301\u0323";
    for (const unit of ["𠮷", letter, "京"]) {
      const text = unit.repeat(500);
      const at = unit.length * 250;
      const [fragment = ""] = cutFragments(text, [{ from: at, to: at + unit.length }], 3);
      const parts = /^… (.*)<em>(.*)<\/em>(.*) …$/u.exec(fragment)!.slice(1);
      for (const part of parts) expect(part.replaceAll(unit, "")).toBe("");
      expect(parts.every((part) => part !== "")).toBe(true);
    }
  });

  it("gives short parts of any text, each with a mark", () => {
    const unit = fc.constantFrom(..."ab  <&\t\n𠮷京", "\u0301", "long".repeat(30));
    const text = fc.array(unit, { minLength: 1, maxLength: 300 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.array(fc.tuple(fc.nat(), fc.nat(40)), { minLength: 1, maxLength: 6 }), (all, places) => {
        const marks = places.map(([place, length]) => {
          const from = place % all.length;
          return { from, to: Math.min(all.length, from + 1 + length) };
        });
        const fragments = cutFragments(all, marks, 3);
        expect(fragments.length).toBeGreaterThan(0);
        for (const fragment of fragments) {
          expect(fragment).toMatch(/<em>[\s\S]+<\/em>/u);
          const bare = fragment.replace(/^… | …$/gu, "").replace(/<\/?em>/gu, "");
          const part = bare.replaceAll("&lt;", "<").replaceAll("&amp;", "&");
          expect(all).toContain(part);
          expect(part.length).toBeLessThanOrEqual(160);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
