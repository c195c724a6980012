import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeUrls, parseQueryString, printQueryString } from "./query-string.js";

const read = (text: string) => [...parseQueryString(text)];

describe("parseQueryString", () => {
  it("reads plus and %20 as blanks and a percent-encoded plus as itself", () => {
    expect(read("q=a+b%20c%2Bd")).toEqual([["q", ["a b c+d"]]]);
  });

  it("keeps what is no percent sequence", () => {
    expect(read("q=50%&l=%zz&s=%ff")).toEqual([
      ["q", ["50%"]],
      ["l", ["%zz"]],
      ["s", ["%ff"]],
    ]);
  });

  it("gathers the values of a repeated name and knows names without value", () => {
    expect(read("a=1&&b&a=2&a==3")).toEqual([
      ["a", ["1", "2", "=3"]],
      ["b", [""]],
    ]);
  });

  it("takes names such as __proto__ as names", () => {
    expect(read("__proto__=1&constructor=2")).toEqual([
      ["__proto__", ["1"]],
      ["constructor", ["2"]],
    ]);
  });

  it("reads back everything that printQueryString writes", () => {
    const pairs = fc.array(fc.tuple(fc.string({ unit: "binary" }), fc.string({ unit: "binary" })));
    fc.assert(
      fc.property(pairs, (written) => {
        const sorted = [...parseQueryString(printQueryString(written))].flatMap(([n, vs]) => vs.map((v) => [n, v]));
        const wanted = written.map(([n, v]) => [wellFormed(n), wellFormed(v)]);
        expect(sorted.toSorted()).toEqual(wanted.toSorted());
      }),
    );
  });
});

it("prints names in alphabetical order and keeps the order of one name's values", () => {
  const pairs = [
    ["size", "10"],
    ["instrument", "ins:2"],
    ["q", 'a "b" µ&='],
    ["instrument", "ins:1"],
  ] as const;
  expect(printQueryString(pairs)).toBe("instrument=ins%3A2&instrument=ins%3A1&q=a%20%22b%22%20%C2%B5%26%3D&size=10");
});

function wellFormed(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}

it("makes URLs that differ in one parameter, as they are printed", () => {
  const pairs = [
    ["sort", "title"],
    ["instrument", "ins:2"],
    ["instrument", "ins:1"],
    ["q", 'a "b"'],
  ] as const;
  const link = makeUrls("/api/search", pairs);
  for (const name of ["cursor", "page", "zoom"]) {
    expect(link(name, "µ 1")).toBe(`/api/search?${printQueryString([...pairs, [name, "µ 1"]])}`);
  }
  expect(makeUrls("/api/search", [])("page", "2")).toBe("/api/search?page=2");
});
