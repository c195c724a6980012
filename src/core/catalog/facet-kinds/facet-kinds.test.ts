import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDate, parseInstant } from "../../time.js";
import { bucketEnds, bucketKey, type KeyedRanges, kindsWhere, leafKey, selectedRanges } from "./facet-kinds.js";
import { binKeys, makeBins } from "./histogram.js";

const FLAT = { name: "tools", hierarchy: false };
const DEEP = { name: "taxa", hierarchy: true };

it.each([
  ["keyword", undefined, "terms"],
  ["keyword", FLAT, "terms"],
  ["keyword", DEEP, "tree"],
  ["date", undefined, "year"],
  ["number", undefined, "histogram"],
] as const)("has one default for leaves of the type %s that cite %o: %s", (type, vocabulary, expected) => {
  expect(kindsWhere(({ leafType, isDefault }) => leafType === type && isDefault(vocabulary))).toEqual([expected]);
});

const YEAR: KeyedRanges = { kind: "year" };
const BINS: KeyedRanges = makeBins([1, 10, 100]);

const edges = fc
  .uniqueArray(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 8 })
  .map((numbers) => [...new Set(numbers.map((number) => number + 0))].sort((a, b) => a - b));

it("counts only values of the type of the kind", () => {
  const date = { number: parseInstant("2024-05-17T00:00:00.000000+00:00"), keyword: undefined };
  expect(leafKey({ kind: "terms" }, { keyword: "DLS" })).toBe("DLS");
  expect(leafKey({ kind: "terms" }, date)).toBeUndefined();
  expect(leafKey(YEAR, date)).toBe("2024");
  expect(leafKey(YEAR, { keyword: "2024" })).toBeUndefined();
});

describe("the bucket of a date", () => {
  it.each([
    ["2024-01-01T00:00:00.000000+00:00", "2024"],
    ["2023-12-31T23:59:59.999999+00:00", "2023"],
    ["1970-01-01T00:00:00.000000+00:00", "1970"],
    ["1969-12-31T23:59:59.999999+00:00", "1969"],
  ])("%s is the year %s", (instant, key) => expect(bucketKey(YEAR, parseInstant(instant))).toBe(key));

  it.each([
    ["0999", "0999"],
    ["0000", "0000"],
    ["9999-12-31", "9999"],
    ["0000-01-01T00:00+02:00", "-0001"],
    ["9999-12-31T23:00-05:00", "10000"],
    ["2024-12-31T23:00-05:00", "2025"],
  ])("%s is the year %s", (text, key) => expect(bucketKey(YEAR, parseDate(text)!.from)).toBe(key));

  it("begins and ends with the year in UTC", () => {
    for (const key of ["2024", "1969", "0099", "-0001", "10000"]) {
      const { from, to } = bucketEnds(YEAR, key)!;
      expect([from, to! - 86_400_000_000].map((at) => bucketKey(YEAR, at!))).toEqual([key, key]);
      expect(bucketKey(YEAR, to!)).not.toBe(key);
    }
    const { from, to } = parseDate("2024")!;
    expect(bucketEnds(YEAR, "2024")).toEqual({ from, to });
    expect(bucketEnds(YEAR, "2024..2025")).toEqual({ from, to });
  });

  it.each(["", "24", "2024-05", " 2024", "2024 ", "02024", "+2024", "-0000", "999999", "20a4", "*"])(
    "is not what %j names",
    (key) => expect(bucketEnds(YEAR, key)).toBeUndefined(),
  );
});

describe("the bucket of a number", () => {
  it("includes its lower edge and not its upper one", () => {
    const keys = [-5, 0.999, 1, 9.999, 10, 99, 100, 1e300, Number.POSITIVE_INFINITY].map((n) => bucketKey(BINS, n));
    expect(keys).toEqual(["..1", "..1", "1..10", "1..10", "10..100", "10..100", "100..", "100..", "100.."]);
  });

  it("has a key in one notation: with exponents for all edges where one of them needs it", () => {
    expect(binKeys([1e-7, 1e-6, 2.5e-4, 1e-2])).toEqual([
      "..1e-7",
      "1e-7..1e-6",
      "1e-6..2.5e-4",
      "2.5e-4..1e-2",
      "1e-2..",
    ]);
    expect(binKeys([-1e-9, 0, 1, 20])).toEqual(["..-1e-9", "-1e-9..0", "0..1e0", "1e0..2e1", "2e1.."]);
    expect(binKeys([1e-6, 0.1, 1000])).toEqual(["..0.000001", "0.000001..0.1", "0.1..1000", "1000.."]);
  });

  it.each(["", "..", "1", "100..1", "1..1", "1..10 ", "a..b", "1..Infinity", "1..1e999"])(
    "is not what %j names",
    (key) => expect(bucketEnds(BINS, key)).toBeUndefined(),
  );

  it("may be told from any other range", () => {
    expect(bucketEnds(BINS, "..2")).toEqual({ to: 2 });
    expect(bucketEnds(BINS, "1.5e-3..1e2")).toEqual({ from: 0.0015, to: 100 });
    expect(selectedRanges(BINS, ["..1", "..2", "1..10", "..2", "7"])).toEqual(["..2", "7"]);
    expect(selectedRanges(YEAR, ["2024", "2020..2024"])).toEqual(["2020..2024"]);
    expect(selectedRanges({ kind: "terms" }, ["..2"])).toEqual([]);
  });

  it("is the one whose ends it lies between, and of no other", () => {
    fc.assert(
      fc.property(edges, fc.double({ noNaN: true, min: -2e6, max: 2e6 }), fc.nat(), (edges, number, at) => {
        const value = at % 2 === 0 ? number : edges[at % edges.length]!;
        const holds = binKeys(edges).filter((key) => {
          const { from, to } = bucketEnds(makeBins(edges), key)!;
          return (from === undefined || from <= value) && (to === undefined || value < to);
        });
        expect(holds).toEqual([bucketKey(makeBins(edges), value)]);
      }),
    );
  });
});
