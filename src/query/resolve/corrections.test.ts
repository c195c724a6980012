import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryTree, TINY_NAMES } from "../../../test/support/query-arbitraries.js";
import { tinyModel, tinyVocabulary } from "../../../test/support/tiny-catalog.js";
import { recordFields } from "../fields/field-lookup.js";
import { parseQuery, parseSuggestText } from "../parse/parse.js";
import { printQuery } from "../parse/print.js";
import {
  hasPhrase,
  joinedWords,
  onlyWord,
  printCorrected,
  replaceWords,
  singularOrPlural,
  splitWord,
  suspectWords,
} from "./corrections.js";

const fields = recordFields([tinyModel()], [tinyVocabulary()]);
const read = (query: string) => parseQuery(query, fields).tree;

describe("suspectWords", () => {
  it.each([
    ["lyzozyme in bufer", "lyzozyme bufer"],
    ['"serum albumim" OR title:lyzozyme', "serum albumim lyzozyme"],
    ["lyzozyme -serum NOT title:albumin", "lyzozyme"],
    ["samples:(name:bufer steps:(strir))", "bufer strir"],
    ["P69905 sp:562 Tris:HCl 2024 ph:[2 TO 3] abc", ""],
    ["lyzo* lyz?zyme lyzozyme~", ""],
    ["title:lyzozyme lyzozyme lyzozyme", "lyzozyme lyzozyme"],
  ])("in %s: %s", (query, expected) => {
    const words = suspectWords(read(query), false).map(({ word }) => word);
    expect(words.join(" ")).toBe(expected);
  });

  it("are the last word too where it was typed", () => {
    const words = suspectWords(parseSuggestText("lyzozyme bufer"), true).map(({ word }) => word);
    expect(words).toEqual(["lyzozyme", "bufer"]);
  });
});

describe("a corrected query", () => {
  const mend = (query: string, ...words: string[]): string => {
    const tree = read(query);
    const suspects = suspectWords(tree, false);
    const better = new Map(words.map((word, i) => [suspects[i]!, word] as const));
    return printCorrected(replaceWords(tree, better), false);
  };
  it.each([
    ["lyzozyme in bufer", ["lysozyme"], "lysozyme in bufer"],
    ["Lyzozyme -water ph:<3", ["lysozyme"], "lysozyme AND NOT water AND ph:<3"],
    ['"Serrum (Albumim)" x', ["serum", "albumin"], '"serum (albumin)" x'],
    ["samples:(name:bufer)", ["buffer"], "samples:(name:buffer)"],
    ["sodiumchloride x", ["sodium chloride"], '"sodium chloride" x'],
    ["éééé-serrum", ["bbbb", "serum"], "bbbb-serum"],
  ])("%s", (query, words, expected) => {
    expect(mend(query, ...words)).toBe(expected);
  });

  it("is text for suggest where it was typed as such", () => {
    const tree = parseSuggestText("lyzozyme buf");
    const [first] = suspectWords(tree, true);
    expect(printCorrected(replaceWords(tree, new Map([[first!, "lysozyme"]])), true)).toBe("lysozyme buf");
  });

  it("is read as what it was made of", () => {
    fc.assert(
      fc.property(arbitraryTree(TINY_NAMES), (tree) => {
        expect(read(printCorrected(tree, false))).toEqual(tree);
        const same = new Map(suspectWords(tree, false).map((suspect) => [suspect, suspect.word] as const));
        const again = replaceWords(tree, same);
        expect(read(printCorrected(again, false))).toEqual(again);
      }),
      { numRuns: 1_000 },
    );
  });

  it("for one word keeps its field and its groups", () => {
    const tree = read("x (y OR samples:(name:bufer steps:(strir z)))");
    expect(suspectWords(tree, false).map((suspect) => printQuery(onlyWord(tree, suspect)))).toEqual([
      "samples:(name:bufer)",
      "samples:(steps:(strir))",
    ]);
  });
});

it("joins a word with its neighbours", () => {
  const tree = read("a lyso zyme b title:c");
  const [lyso] = suspectWords(tree, false);
  expect(joinedWords(tree, lyso!).map(printQuery)).toEqual([
    "alyso AND zyme AND b AND title:c",
    "a AND lysozyme AND b AND title:c",
  ]);
  const pair = read("lyso zyme");
  expect(joinedWords(pair, suspectWords(pair, false)[0]!).map(printQuery)).toEqual(["lysozyme"]);
  const other = read("lyso (zyme OR x)");
  expect(joinedWords(other, suspectWords(other, false)[0]!)).toEqual([]);
});

it("takes words apart", () => {
  expect(splitWord("abcde")).toEqual([
    ["ab", "cde"],
    ["abc", "de"],
  ]);
  expect(splitWord("abc")).toEqual([]);
  expect(hasPhrase('{"name":"Sodium-chloride"}', ["sodium", "chloride"])).toBe(true);
  expect(hasPhrase('{"name":"Sodium dichloride"}', ["sodium", "chloride"])).toBe(false);
});

it.each([
  ["antibody", "antibodies"],
  ["protein", "proteins"],
  ["protease", "proteases"],
  ["complex", "complexes"],
  ["assay", "assays"],
  ["virus", "viruses"],
])("%s and %s are one word in two numbers", (singular, plural) => {
  expect(singularOrPlural(singular)).toBe(plural);
  expect(singularOrPlural(plural)).toBe(singular);
});
