import { expect, it } from "vitest";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { TermContent } from "../../core/term.js";
import { IDENTIFIER_NAME, localPart, nameKey, SYNONYM_NAME, scalarsAt, TITLE_NAME, termKeys } from "./term-document.js";

const vocabulary = {
  languages: ["en"],
  identifiers: ["inchikey"],
  facets: [{ path: "props.kind" }],
  leaves: new Map(
    ["kind", "inchikey"].map((name) => {
      const path = `props.${name}`;
      return [path, { path, type: "keyword", weight: "rest", elementPath: "" }];
    }),
  ),
} as unknown as Vocabulary;

const water: TermContent = {
  id: "cid:962",
  title: { en: "Cold Water" },
  props: { kind: "compound", inchikey: "ik:XLYO" },
  synonyms: [{ name: "H2O", kind: "formula" }],
  status: "active",
};

it("finds an item by whole names: its id without the prefix, its titles, synonyms and declared identifiers", () => {
  expect(termKeys(water, vocabulary).names).toEqual([
    ["962", IDENTIFIER_NAME],
    ["cold water", TITLE_NAME],
    ["h2o", SYNONYM_NAME],
    ["ik xlyo", IDENTIFIER_NAME],
    ["xlyo", IDENTIFIER_NAME],
  ]);
});

it("sorts by analysed titles, and keeps keys of facets only", () => {
  const { titles, values } = termKeys(water, vocabulary);
  expect(titles).toEqual([["en", "cold water\u0001Cold Water\u0001cid:962"]]);
  expect(values).toEqual([["props.kind", "compound"]]);
});

it("makes no key of what has no words, or too many", () => {
  expect([nameKey([]), nameKey(["x".repeat(513)]), nameKey(["a", "b"])]).toEqual([undefined, undefined, "a b"]);
});

it("takes parts of identifiers and of props", () => {
  expect([localPart("cid:962"), localPart("962")]).toEqual(["962", "962"]);
  const nested = { ...water, props: { ids: ["a", { b: 2, c: null }] } };
  expect(scalarsAt(nested, "ids")).toEqual(["a", "2"]);
  expect(scalarsAt(nested, "constructor")).toEqual([]);
});
