import { describe, expect, it } from "vitest";
import { searchText, withLinks, withWarnings } from "./answer-text.js";

describe("withLinks", () => {
  it("appends links to the text as it stands", () => {
    expect(withLinks('{"a": 1.0}', { self: 'x"y' })).toBe('{"a": 1.0,"links":{"self":"x\\"y"}}');
  });
});

describe("withWarnings", () => {
  it("says nothing where there is nothing to say", () => {
    expect(withWarnings('{"a":1}', [])).toBe('{"a":1}');
  });
});

describe("searchText", () => {
  const frame = { total: 12, sortBy: "newest", links: { self: "s" }, query: { parsed: "", fallback: false } };

  it("joins hits without touching them", () => {
    const text = searchText(['{"id":1e2}', '{"id":2}'], { ...frame, page: 1, warnings: [] });
    expect(text).toBe(
      '{"hits":{"hits":[{"id":1e2},{"id":2}],"total":12},"sortBy":"newest","page":1,"links":{"self":"s"},' +
        '"query":{"parsed":"","fallback":false}}',
    );
  });

  it("leaves out the page of a cursor and aggregations where there are none", () => {
    const answer = JSON.parse(searchText([], { ...frame, aggregations: {}, warnings: [] }));
    expect(Object.keys(answer)).toEqual(["hits", "sortBy", "links", "query"]);
  });

  it("has aggregations and warnings where there are some", () => {
    const aggregations = { kind: { label: "Kind", type: "terms" as const, buckets: [], other: 0 } };
    const warnings = [{ code: "UNKNOWN_PARAMETER", message: "m", parameter: "x" }];
    expect(JSON.parse(searchText([], { ...frame, aggregations, warnings }))).toMatchObject({ aggregations, warnings });
  });
});
