import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodePercent, encodeSegment, repairUrl } from "./percent.js";

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
