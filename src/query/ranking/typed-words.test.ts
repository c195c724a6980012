import { describe, expect, it } from "vitest";
import { readTyped } from "./typed-words.js";

const text = { in: "text" } as const;
const word = (...words: string[]) => ({ kind: "words", place: text, words });
const begin = (...words: string[]) => ({ kind: "prefix", place: text, words });

describe("readTyped", () => {
  it("takes the last word as the beginning of one", () => {
    expect(readTyped("Escherichia co").clause).toEqual({ kind: "all", of: [word("escherichia"), begin("co")] });
    expect(readTyped("esch ").clause).toEqual(begin("esch"));
  });

  it.each(["S. cerevisiae", "s cerevisiae", "S.cerevisiae"])("reads the initial in %s", (typed) => {
    expect(readTyped(typed)).toMatchObject({
      clause: { kind: "all", of: [begin("s"), begin("cerevisiae")] },
      start: [{ word: "s", isPrefix: true }],
      hasInitials: true,
    });
  });

  it("begins with the words before the first initial", () => {
    expect(readTyped("Escherichia c. O157").start).toEqual([{ word: "escherichia", isPrefix: false }]);
  });

  it("takes a single letter at the end for the beginning of a word", () => {
    expect(readTyped("Escherichia c")).toMatchObject({ hasInitials: false, clause: { of: [{}, begin("c")] } });
    expect(readTyped("e").hasInitials).toBe(false);
  });

  it("reads every word as the beginning of one besides, but for numbers and where that says nothing else", () => {
    expect(readTyped("techn univ mun").beginnings).toEqual({
      clause: { kind: "all", of: [begin("techn"), begin("univ"), begin("mun")] },
      words: ["techn", "univ", "mun"].map((word) => ({ word, isPrefix: true })),
    });
    expect(readTyped("nt.115 pi").beginnings?.clause).toEqual({
      kind: "all",
      of: [begin("nt"), word("115"), begin("pi")],
    });
    for (const text of ["techn", "S. cerevisiae", "115 pi", "", "东京 东"]) {
      expect(readTyped(text)).not.toHaveProperty("beginnings");
    }
  });

  it("keeps what stands between blanks in a row, and reads no operators", () => {
    expect(readTyped('"IL-6 OR (x').clause).toEqual({ kind: "all", of: [word("il", "6"), word("or"), begin("x")] });
  });

  it("never takes a character of Chinese for an initial", () => {
    expect(readTyped("东京").clause).toEqual(begin("东", "京"));
  });
});
