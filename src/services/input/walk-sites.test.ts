import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.js";
import { formatFieldPath } from "./issues.js";
import { rewriteSites, siteTree } from "./walk-sites.js";

const tree = siteTree([{ path: "metadata.a" }, { path: "metadata.b.c" }, { path: "metadata.a.d" }]);
const placesOf = (metadata: JsonObject): string[] => {
  const places: string[] = [];
  rewriteSites(metadata, tree, (element, _sites, place) => {
    places.push(formatFieldPath(place));
    return element;
  });
  return places;
};

describe("walking sites", () => {
  it("finds objects at the sites, in arrays and arrays of arrays, outer before inner", () => {
    const metadata = { a: [{ d: {} }, [{ d: [{}, 1] }], "x", null], b: [{ c: {} }, { c: "no" }, 3], c: {} };
    expect(placesOf(metadata)).toEqual([
      "metadata.a.0",
      "metadata.a.0.d",
      "metadata.a.1.0",
      "metadata.a.1.0.d.0",
      "metadata.b.0.c",
    ]);
  });

  it("returns the same object where nothing was rewritten, whatever shape the data has", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b", "c", "d"), fc.jsonValue()), (value) => {
        const metadata = value as JsonObject;
        expect(rewriteSites(metadata, tree, (element) => element)).toBe(metadata);
      }),
    );
  });

  it("changes nothing but what stands at the sites, and keeps the order of keys", () => {
    const text = '{"z":{"a":{}},"__proto__":{"a":{"id":1}},"b":{"y":1,"c":{"id":2},"x":[{}]},"a":[{"id":3},4]}';
    const made = rewriteSites(JSON.parse(text) as JsonObject, tree, () => ({ done: true }));
    expect(JSON.stringify(made)).toBe(
      '{"z":{"a":{}},"__proto__":{"a":{"id":1}},"b":{"y":1,"c":{"done":true},"x":[{}]},"a":[{"done":true},4]}',
    );
  });
});
