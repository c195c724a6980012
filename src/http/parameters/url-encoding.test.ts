import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodePercent,
  encodeSegment,
  makeUrls,
  parseQueryString,
  printQueryString,
  repairUrl,
} from "./url-encoding.js";

describe("decodePercent", () => {
  it.each([
    ["taxid%3A562", "taxid:562"],
    ["50%", "50%"],
    ["%zz", "%zz"],
    ["%4", "%4"],
    ["%ff%41", "%ffA"],
    ["%ED%A0%80", "%ED%A0%80"],
    ["%C0%AF", "%C0%AF"],
    ["%E2%82", "%E2%82"],
    ["%c2%b5M %F0%9F%A7%AC", "µM 🧬"],
    ["%00", "\u0000"],
  ])("reads %s as %s", (text, decoded) => {
    expect(decodePercent(text)).toBe(decoded);
  });

  it("gives back every text that was encoded", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(decodePercent(encodeURIComponent(wellFormed(text)))).toBe(wellFormed(text));
      }),
    );
  });

  it("agrees with decodeURIComponent wherever that does not throw", () => {
    const pieces = fc.array(fc.stringMatching(/^(%[0-9a-fA-F]{2}|[a-z%]){1,4}$/)).map((parts) => parts.join(""));
    fc.assert(
      fc.property(pieces, (text) => {
        const strict = attempt(() => decodeURIComponent(text));
        if (strict !== undefined) expect(decodePercent(text)).toBe(strict);
      }),
    );
  });
});

describe("repairUrl", () => {
  it("makes a path that decodes, and leaves the query string", () => {
    expect(repairUrl("/a/50%/%ff?q=%zz")).toBe("/a/50%25/%25ff?q=%zz");
  });

  it("makes every path decodable", () => {
    const bytes = fc.array(fc.integer({ min: 0x21, max: 0x7e })).map((codes) => String.fromCharCode(...codes));
    fc.assert(
      fc.property(bytes, (path) => {
        expect(() => decodeURIComponent(repairUrl(`/${path}`).split("?")[0]!)).not.toThrow();
      }),
    );
  });
});

describe("encodeSegment", () => {
  it.each([
    ["taxid:562", "taxid:562"],
    ["oa:corda__h2020::f2", "oa:corda__h2020::f2"],
    ["a/b ?", "a%2Fb%20%3F"],
    ["..", ".."],
  ])("writes %s as %s", (id, segment) => {
    expect(encodeSegment(id)).toBe(segment);
  });
});

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

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function wellFormed(text: string): string {
  return Buffer.from(text, "utf8").toString("utf8");
}
