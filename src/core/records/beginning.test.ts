import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../json.js";
import { beginningOf, beginningOfText, type PageSizes, pageSizesOf } from "./beginning.js";

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

/** Returns the pointers of all elements of lists. @param firstShownIndex the index of the first element of a list */
function elementsOf(
  value: Json,
  firstShownIndex: (pointer: string) => number,
  pointer = "/metadata",
): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap((each, i) => {
      const at = `${pointer}/${firstShownIndex(pointer) + i}`;
      return [at, ...elementsOf(each, firstShownIndex, at)];
    });
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => elementsOf(each, firstShownIndex, `${pointer}/${name}`));
}

/** Reads all pages of all lists, as a reader who follows the links does. @returns the pages of each element */
function readAllPages(metadata: JsonObject, sizes: PageSizes): ReadonlyMap<string, ReadonlySet<number>> {
  const pagesOf = new Map<string, Set<number>>();
  const visits: ReadonlyMap<string, number>[] = [new Map()];
  const isVisited = new Set<string>();
  for (const starts of visits) {
    const firstShownIndex = (pointer: string): number => starts.get(pointer) ?? 0;
    const limits = { values: VALUES, textLength: 10, pages: { sizes, firstShownIndex } };
    const { metadata: shown, isCut, listLengths } = beginningOf(metadata, limits);
    expect(isCut).toBe(false);
    for (const element of elementsOf(shown, firstShownIndex)) {
      const start = firstShownIndex(element.slice(0, element.lastIndexOf("/")));
      pagesOf.set(element, (pagesOf.get(element) ?? new Set()).add(start));
    }
    for (const [pointer, length] of listLengths) {
      for (let start = 0; start < length; start += sizes.elements) {
        const page = `${pointer} ${start}`;
        if (!isVisited.has(page)) visits.push(new Map([...starts, [pointer, start]]));
        isVisited.add(page);
      }
    }
  }
  return pagesOf;
}

const VALUES = 120;
const countOf = (value: Json): number =>
  1 +
  (isObject(value) || Array.isArray(value)
    ? Object.values(value).reduce((sum: number, each) => sum + countOf(each as Json), 0)
    : 0);

describe("a page of the lists of a record", () => {
  const rows = (count: number, row: Json = { i: 1 }): Json => Array.from({ length: count }, () => row);
  const tables: readonly (readonly [name: string, metadata: JsonObject, elements: number])[] = [
    ["a list", { rows: rows(300, 1) }, 50],
    ["a list of objects", { rows: rows(300) }, 50],
    ["a list of larger objects", { rows: rows(60, { a: 1, b: 2, c: 3, d: 4 }) }, 10],
    ["several lists", { a: rows(55), b: { c: rows(60) }, title: "x" }, 10],
    ["lists in lists", { rows: rows(30, { inner: rows(20) }) }, 3],
    ["lists of lists", { rows: rows(12, rows(12, rows(12, 1))) }, 3],
    ["one large element among small ones", { rows: [...(rows(70) as Json[]), { inner: rows(40) }] }, 10],
    [
      "elements of a hundred values",
      { rows: rows(5, Object.fromEntries(Array.from({ length: 100 }, (_, i) => [i, i]))) },
      1,
    ],
  ];

  it.each(tables)("has room for %s, and each element is on exactly one page", (_, metadata, elements) => {
    const sizes = pageSizesOf(metadata, VALUES);
    expect(sizes).toEqual({ elements, members: Number.POSITIVE_INFINITY });
    const pagesOf = readAllPages(metadata, sizes);
    expect(new Set(pagesOf.keys())).toEqual(new Set(elementsOf(metadata, () => 0)));
    for (const pages of pagesOf.values()) expect(pages.size).toBe(1);
  });

  it("has each element of any lists exactly once, and no more values than a page shows", () => {
    const { record } = fc.letrec<{ record: JsonObject; value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.nat(9),
        fc.array(tie("value"), { maxLength: 14, size: "max" }),
        tie("record"),
      ),
      record: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value")),
    }));
    fc.assert(
      fc.property(record, (metadata) => {
        const sizes = pageSizesOf(metadata, VALUES);
        fc.pre(sizes.members === Number.POSITIVE_INFINITY);
        const pagesOf = readAllPages(metadata, sizes);
        expect(new Set(pagesOf.keys())).toEqual(new Set(elementsOf(metadata, () => 0)));
        for (const pages of pagesOf.values()) expect(pages.size).toBe(1);
        const limits = { values: VALUES, textLength: 10, pages: { sizes, firstShownIndex: () => 0 } };
        expect(countOf(beginningOf(metadata, limits).metadata)).toBeLessThanOrEqual(VALUES);
      }),
    );
  });

  it.each([VALUES + 1, 5_000])("lacks members of an object with %d of them, but no element of a list", (count) => {
    const large = Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
    const metadata = { rows: rows(60), large };
    const sizes = pageSizesOf(metadata, VALUES);
    expect(sizes.members).toBe(20);
    const firstShownIndex = (): number => 0;
    const { metadata: shown, isCut } = beginningOf(metadata, {
      values: VALUES,
      textLength: 10,
      pages: { sizes, firstShownIndex },
    });
    expect(shown.rows).toHaveLength(sizes.elements);
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
