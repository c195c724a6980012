import { describe, expect, it } from "vitest";
import { beginningOf, beginningOfText } from "./beginning.js";

const LIMITS = { values: 100, textLength: 10 };

describe("the beginning of a record", () => {
  it("is the record itself if it is within the limits", () => {
    const metadata = { title: "short", list: Array.from({ length: 97 }, (_, i) => i) };
    expect(beginningOf(metadata, LIMITS)).toEqual({ metadata, isCut: false, listLengths: new Map() });
    expect(beginningOf(metadata, LIMITS).metadata).toBe(metadata);
  });

  it("has the beginnings of long texts, also of a record with few values", () => {
    const { metadata, isCut } = beginningOf({ title: "x".repeat(9_000_000), list: [{ text: "y".repeat(11) }] }, LIMITS);
    expect(metadata).toEqual({ title: `${"x".repeat(10)}…`, list: [{ text: `${"y".repeat(10)}…` }] });
    expect(isCut).toBe(true);
  });

  it("has the same number of elements of each long list, and says how many there are", () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => ({ "a/b": i, c: i }));
    const { metadata, listLengths } = beginningOf({ rows, last: "kept", "a/b": { rows } }, LIMITS);
    expect(metadata).toEqual({ rows: rows.slice(0, 10), last: "kept", "a/b": { rows: rows.slice(0, 10) } });
    expect(listLengths).toEqual(
      new Map([
        ["/metadata/rows", 3_000],
        ["/metadata/a~1b/rows", 3_000],
      ]),
    );
  });

  it.each([
    ["members", Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, i]))],
    ["nested lists", { list: Array.from({ length: 60 }, () => Array.from({ length: 60 }, () => [[1, 2], [3]])) }],
    ["objects without values", { list: Array.from({ length: 5_000 }, () => ({})) }],
  ])("has no more values than the limit, however they stand: %s", (_, metadata) => {
    const beginning = beginningOf(metadata, LIMITS);
    expect(beginning.isCut).toBe(true);
    expect(JSON.stringify(beginning.metadata).length).toBeLessThan(2_000);
  });
});

describe("a page of the lists of a record", () => {
  const rows = Array.from({ length: 300 }, (_, i) => ({ i }));
  const pages = (start: number) => ({ size: 50, startOf: (pointer: string) => (pointer.endsWith("rows") ? start : 0) });

  it.each([
    [0, 50],
    [50, 50],
    [290, 10],
  ])("from %d has %d elements, and nothing is cut", (start, count) => {
    const limits = { values: 4_000, textLength: 10, pages: pages(start) };
    const { metadata, isCut, listLengths } = beginningOf({ rows, short: [1, 2] }, limits);
    expect(metadata).toEqual({ rows: rows.slice(start, start + count), short: [1, 2] });
    expect(isCut).toBe(false);
    expect(listLengths).toEqual(new Map([["/metadata/rows", 300]]));
  });

  it("is cut if it has too many values, and says so", () => {
    const { metadata, isCut } = beginningOf({ rows }, { ...LIMITS, values: 40, pages: pages(50) });
    expect(metadata).toEqual({ rows: rows.slice(50, 60) });
    expect(isCut).toBe(true);
  });
});

describe("the beginning of a text", () => {
  it("never ends within a character", () => {
    expect(beginningOfText("ab😀c", 3)).toBe("ab…");
    expect(beginningOfText("ab😀c", 4)).toBe("ab😀…");
    expect(beginningOfText("ab😀c", 5)).toBe("ab😀c");
  });
});
