import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ALL_FOUND, complement, found, intersect, NOTHING_FOUND, type RowSet, rowsAmong, union } from "./row-set.js";
import {
  both,
  bytesOfRows,
  countRows,
  either,
  firstRows,
  hasRow,
  idsOf,
  lastRows,
  type Rows,
  replaceRanges,
  rowsOf,
  rowsOfAny,
  rowsWhere,
  without,
  withoutRanges,
} from "./rows.js";

/** Dense ones become bits, thin ones ids. */
const anyIds = fc.oneof(
  fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 300, size: "max" }),
  fc.uniqueArray(fc.integer({ min: 0, max: 5000 }), { maxLength: 60, size: "max" }),
  fc.integer({ min: 0, max: 100_000 }).map((id) => [id]),
);

const ascending = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b);
const listed = (rows: Rows): number[] => Array.from(idsOf(rows));

describe("sets of rows", () => {
  it("are what sets are, as ids and as bits", () => {
    fc.assert(
      fc.property(anyIds, anyIds, (a, b) => {
        const [x, y] = [rowsOfAny([...a, ...a]), rowsOfAny(b)];
        const inB = new Set(b);
        const expected = {
          both: ascending(a.filter((id) => inB.has(id))),
          without: ascending(a.filter((id) => !inB.has(id))),
          either: ascending([...a, ...b]),
        };
        for (const [name, work] of Object.entries({ both, without, either })) {
          const made = work(x, y);
          expect(listed(made)).toEqual(expected[name as keyof typeof expected]);
          expect(countRows(made)).toBe(expected[name as keyof typeof expected].length);
        }
        // Neither argument changed.
        expect([listed(x), listed(y)]).toEqual([ascending(a), ascending(b)]);
        for (const id of [...a, ...b].slice(0, 20)) expect(hasRow(x, id)).toBe(a.includes(id));
        expect(listed(rowsWhere(x, (id) => inB.has(id)))).toEqual(expected.both);
      }),
    );
  });

  it("are read from both ends", () => {
    fc.assert(
      fc.property(anyIds, fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 50 }), (ids, at, limit) => {
        const rows = rowsOfAny(ids);
        const sorted = ascending(ids);
        expect(firstRows(rows, at - 1, limit)).toEqual(sorted.filter((id) => id >= at).slice(0, limit));
        const below = sorted.filter((id) => id < at).reverse();
        expect(lastRows(rows, at, limit)).toEqual(below.slice(0, limit));
        expect(lastRows(rows, Number.POSITIVE_INFINITY, limit)).toEqual([...sorted].reverse().slice(0, limit));
      }),
    );
  });

  it("lose what lies in ranges, and gain what was found there", () => {
    const anyRange = fc
      .tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 90 }))
      .map(([first, length]) => ({ first, last: first + length }));
    fc.assert(
      fc.property(anyIds, fc.array(anyRange, { maxLength: 3 }), anyIds, (ids, ranges, more) => {
        const isOutside = (id: number): boolean => ranges.every(({ first, last }) => id < first || id > last);
        const rows = rowsOfAny(ids);
        expect(listed(withoutRanges(rows, ranges))).toEqual(ascending(ids.filter(isOutside)));
        const replaced = replaceRanges(rows, ranges, rowsOfAny(more));
        expect(listed(replaced)).toEqual(ascending([...ids.filter(isOutside), ...more]));
      }),
    );
  });

  it("take no more than a bit each where they are dense", () => {
    const ids = Uint32Array.from({ length: 32_000 }, (_, i) => i);
    expect(bytesOfRows(rowsOf(ids))).toBe(4_000);
    expect(bytesOfRows(rowsOf(ids.filter((id) => id % 1000 === 0)))).toBe(128);
  });

  it("follow the laws of sets with complements", () => {
    const anySet: fc.Arbitrary<RowSet> = fc
      .tuple(anyIds, fc.boolean())
      .map(([ids, except]) => ({ rows: rowsOfAny(ids.filter((id) => id < 6000)), except }));
    const all = rowsOf(Uint32Array.from({ length: 6000 }, (_, i) => i));
    const shown = (set: RowSet): number[] => listed(rowsAmong(all, set));
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        const [inA, inB] = [new Set(shown(a)), new Set(shown(b))];
        expect(shown(intersect(a, b))).toEqual([...inA].filter((id) => inB.has(id)));
        expect(shown(union(a, b))).toEqual(ascending([...inA, ...inB]));
        expect(shown(complement(a))).toEqual(Array.from(idsOf(all)).filter((id) => !inA.has(id)));
      }),
      { numRuns: 60 },
    );
    expect([shown(NOTHING_FOUND).length, shown(ALL_FOUND).length, shown(found(rowsOfAny([3])))]).toEqual([
      0,
      6000,
      [3],
    ]);
  });
});
