import { describe, expect, it } from "vitest";
import { makeTypoTest, mayHaveTypos, readTypedText, typosMax } from "./typed-words.js";

const text = { in: "text" } as const;
const word = (...words: string[]) => ({ kind: "words", place: text, words });
const begin = (...words: string[]) => ({ kind: "prefix", place: text, words });

describe("readTypedText", () => {
  it("takes the last word as the beginning of one", () => {
    expect(readTypedText("Escherichia co").clause).toEqual({ kind: "all", of: [word("escherichia"), begin("co")] });
    expect(readTypedText("esch ").clause).toEqual(begin("esch"));
  });

  it.each(["S. cerevisiae", "s cerevisiae", "S.cerevisiae"])("reads the initial in %s", (typed) => {
    expect(readTypedText(typed)).toMatchObject({
      clause: { kind: "all", of: [begin("s"), begin("cerevisiae")] },
      start: [{ word: "s", isPrefix: true }],
      hasInitials: true,
    });
  });

  it("begins with the words before the first initial", () => {
    expect(readTypedText("Escherichia c. O157").start).toEqual([{ word: "escherichia", isPrefix: false }]);
  });

  it("takes a single letter at the end for the beginning of a word", () => {
    expect(readTypedText("Escherichia c")).toMatchObject({ hasInitials: false, clause: { of: [{}, begin("c")] } });
    expect(readTypedText("e").hasInitials).toBe(false);
  });

  it("reads every word as the beginning of one besides, but for numbers and where that says nothing else", () => {
    expect(readTypedText("techn univ mun").beginnings).toEqual({
      clause: { kind: "all", of: [begin("techn"), begin("univ"), begin("mun")] },
      words: ["techn", "univ", "mun"].map((word) => ({ word, isPrefix: true })),
    });
    expect(readTypedText("nt.115 pi").beginnings?.clause).toEqual({
      kind: "all",
      of: [begin("nt"), word("115"), begin("pi")],
    });
    for (const text of ["techn", "S. cerevisiae", "115 pi", "", "东京 东"]) {
      expect(readTypedText(text).beginnings).toBeUndefined();
    }
  });

  it("keeps what stands between blanks in a row, and reads no operators", () => {
    expect(readTypedText('"IL-6 OR (x').clause).toEqual({ kind: "all", of: [word("il", "6"), word("or"), begin("x")] });
  });

  it("never takes a character of Chinese for an initial", () => {
    expect(readTypedText("东京").clause).toEqual(begin("东", "京"));
  });
});

const whole = (word: string) => ({ word, isPrefix: false });

it("allows a wrong letter in four, two in eight, and none in numbers", () => {
  expect(["abc", "abcd", "abcdefg", "abcdefgh", "12345678", "a1b2c3"].map(typosMax)).toEqual([0, 1, 1, 2, 0, 0]);
  expect(mayHaveTypos([whole("il"), whole("1234")])).toBe(false);
  expect(mayHaveTypos([whole("il"), whole("water")])).toBe(true);
});

it("tests words, and beginnings of words, with as many edits as there may be", () => {
  const water = makeTypoTest(whole("watre"));
  expect([water("water"), water("waters")]).toEqual([true, false]);
  const beginning = makeTypoTest({ word: "eschricia", isPrefix: true });
  expect([beginning("escherichia"), beginning("eschatology")]).toEqual([true, false]);
  const short = makeTypoTest({ word: "il", isPrefix: true });
  expect([short("ilex"), short("li")]).toEqual([true, false]);
});
