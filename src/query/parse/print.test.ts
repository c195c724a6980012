import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arbitraryQueryText,
  arbitraryTree,
  TINY_NAMES,
  TINY_TERM_NAMES,
} from "../../../test/support/query-arbitraries.js";
import { tinyModel, tinyVocabulary } from "../../../test/support/tiny-catalog.js";
import { recordFields, termFields } from "../fields/field-lookup.js";
import { parseQuery } from "./parse.js";
import { printQuery } from "./print.js";

const records = recordFields([tinyModel(), tinyModel("other")], [tinyVocabulary()]);
const terms = termFields(tinyVocabulary());

describe("printQuery", () => {
  it.each([
    ["", ""],
    ["*", ""],
    ["lysozyme binding", "lysozyme AND binding"],
    ["a b OR c", "(a AND b) OR c"],
    ["-(a OR b) c", "NOT (a OR b) AND c"],
    ["Tris:HCl", "Tris\\:HCl"],
    ["title:(a OR b)", "title:a OR title:b"],
    ["ph:(>=1 AND <2 AND >0)", "ph:(>=1 AND <2 AND >0)"],
    ["ph:-1", "ph:-1"],
    ["created:2024-05-17T10:00:00Z", "created:2024-05-17T10:00:00Z"],
    ['"a \\"b\\" \\\\"', '"a \\"b\\" \\\\"'],
    ["\\AND", "\\AND"],
  ])("writes %j as %j", (text, printed) => {
    expect(printQuery(parseQuery(text, records).tree)).toBe(printed);
  });

  it("writes any tree of records as text that parses to the same tree", () => {
    fc.assert(
      fc.property(arbitraryTree(TINY_NAMES), (tree) => {
        expect(parseQuery(printQuery(tree), records).tree).toEqual(tree);
      }),
      { numRuns: 2_000 },
    );
  });

  it("writes any tree of terms as text that parses to the same tree", () => {
    fc.assert(
      fc.property(arbitraryTree(TINY_TERM_NAMES), (tree) => {
        fc.pre(!JSON.stringify(tree).includes('"within":true'));
        expect(parseQuery(printQuery(tree), terms).tree).toEqual(tree);
      }),
      { numRuns: 1_000 },
    );
  });

  it("writes what any text was read as, as text that is read as the same, without falling back", () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryQueryText, fc.string({ unit: "binary" })), (text) => {
        const { tree } = parseQuery(text, records);
        const again = parseQuery(printQuery(tree), records);
        expect(again.tree).toEqual(tree);
        expect(again.fallback).toBe(false);
      }),
      { numRuns: 5_000 },
    );
  });
});
