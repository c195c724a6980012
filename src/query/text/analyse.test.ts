import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../core/limits.js";
import { analyse, compareKeywords, foldKeyword } from "./analyse.js";

describe("analyse", () => {
  it.each([
    ["", []],
    ["Lysozyme binding, again", ["lysozyme", "binding", "again"]],
    ["IL-6 7.4 a/b 5'-GMP", ["il", "6", "7", "4", "a", "b", "5", "gmp"]],
    ["Straße STRASSE GROẞ", ["strasse", "strasse", "gross"]],
    ["ΛΌΓΟΣ λόγος", ["λογοσ", "λογοσ"]],
    ["Łódź København Orléans Đakovo", ["lodz", "kobenhavn", "orleans", "dakovo"]],
    ["TNFα TNF-α Α", ["tnf", "alpha", "tnf", "alpha", "alpha"]],
    ["TGFβ1", ["tgf", "beta", "1"]],
    ["10 µM 10μM 5 μ", ["10", "um", "10um", "5", "mu"]],
    ["αβ-tubulin", ["αβ", "tubulin"]],
    ["H₂O cm² Ω", ["h2o", "cm2", "omega"]],
    ["東京大学", ["東", "京", "大", "学"]],
    ["ラーメンabc", ["ラ", "ー", "メ", "ン", "abc"]],
    ["がか", ["が", "か"]],
    ["ﬁne Ⅳ ①", ["fine", "iv", "1"]],
    ["İstanbul", ["istanbul"]],
    ["한국어", ["한국어"]],
    ["a\u0000b\ud800c", ["a", "b", "c"]],
    ["__proto__", ["proto"]],
    ["Immuno\u00adglobulin", ["immunoglobulin"]],
    ["im\u200bmu\u200cno\u200dglo\u2060bu\ufefflin", ["immunoglobulin"]],
    ["\u200eimmuno\u200f \u202aglobulin\u202c \u2067G\u2069", ["immuno", "globulin", "g"]],
    ["か\u200b\u3099 e\u00ad\u0301", ["が", "e"]],
    ["∆G ΔG ∆∆G", ["delta", "g", "delta", "g", "δδg"]],
  ])("gives the words of %j", (text, words) => {
    expect(analyse(text)).toEqual(words);
  });

  it("cuts words at the limit without leaving half a character or another word", () => {
    const limit = LIMITS.wordLengthMax;
    expect(analyse("x".repeat(limit + 9))).toEqual(["x".repeat(limit)]);
    expect(analyse(`${"x".repeat(limit - 1)}αβ`)).toEqual(["x".repeat(limit - 1)]);
    expect(analyse(`${"x".repeat(limit - 1)}𝼀𝼀`)).toEqual(["x".repeat(limit - 1)]);
  });

  it("gives each of its own words back, for every character there is", () => {
    const changed: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      if (!/[\p{L}\p{N}\p{M}]/u.test(String.fromCodePoint(point))) continue;
      const words = analyse(`a${String.fromCodePoint(point)}b ${String.fromCodePoint(point)}`);
      if (words.some((word) => analyse(word).join(" ") !== word)) changed.push(point.toString(16));
    }
    expect(changed).toEqual([]);
  });

  it("gives each of its own words back, for any text", () => {
    const pieces = fc.constantFrom(
      "a",
      "B",
      "α",
      "μ",
      "ς",
      "Σ",
      "ß",
      "́",
      "東",
      "゙",
      "²",
      " ",
      "-",
      "ø",
      "\u00ad",
      "\u200d",
      "\ufeff",
      "∆",
      "x".repeat(250),
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(pieces).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(text, (any) => {
        const words = analyse(any);
        expect(analyse(words.join(" "))).toEqual(words);
        for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}]{1,256}$/u);
      }),
    );
  });
});

describe("keywords", () => {
  it("fold case, diacritics and blanks, and keep signs", () => {
    expect(foldKeyword("  Élec\u00adtron \t\u200b Spin-echo ")).toBe("electron spin-echo");
  });

  it("compare by code point", () => {
    const sorted = ["", "a", "ab", "b", "\ufffd", "𝼀"];
    expect([...sorted].reverse().sort(compareKeywords)).toEqual(sorted);
  });
});
