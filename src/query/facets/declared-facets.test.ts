import { describe, expect, it } from "vitest";
import { makeBins } from "../../core/catalog/facet-kinds/histogram.js";
import { parseInstant } from "../../core/time.js";
import { facetClause } from "./declared-facets.js";

describe("what selected keys mean", () => {
  const paths = ["metadata.a.id", "metadata.b.id"];

  it("is nothing where none is selected", () => expect(facetClause({ kind: "year" }, paths, [])).toBeUndefined());

  it("is a range of dates, its end left out", () => {
    expect(facetClause({ kind: "year" }, ["created"], ["2024", "2024"])).toEqual({
      kind: "range",
      paths: ["created"],
      type: "date",
      from: { value: parseInstant("2024-01-01T00:00:00.000000+00:00"), inclusive: true },
      to: { value: parseInstant("2025-01-01T00:00:00.000000+00:00"), inclusive: false },
    });
  });

  it("is any of several ranges of numbers, open where the key is; a key that is none finds nothing", () => {
    expect(facetClause(makeBins([1, 10, 100]), ["n"], ["..1", "100..", "7"])).toEqual({
      kind: "any",
      of: [
        { kind: "range", paths: ["n"], type: "number", to: { value: 1, inclusive: false } },
        { kind: "range", paths: ["n"], type: "number", from: { value: 100, inclusive: true } },
        { kind: "nothing" },
      ],
    });
  });

  it("is no clause where keys are exact texts", () => {
    expect(facetClause({ kind: "terms" }, paths, ["a", "b"])).toBeUndefined();
  });

  it("is the term or a descendant, cited at one of the places", () => {
    expect(facetClause({ kind: "tree", vocabulary: "species" }, paths, ["sp:1"])).toEqual({
      kind: "cites",
      vocabularies: ["species"],
      id: "sp:1",
      sites: ["metadata.a", "metadata.b"],
      within: true,
    });
  });
});
