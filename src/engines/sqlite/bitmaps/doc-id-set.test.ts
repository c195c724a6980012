import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bytesOfSet,
  cardinality,
  containsRow,
  type DocIdSet,
  filterSet,
  firstIds,
  intersectMatches,
  intersectSets,
  lastIds,
  MATCH_ALL,
  MATCH_NONE,
  type MatchSet,
  makeDocIdSet,
  makeSortedSet,
  matchExactly,
  matchesAmong,
  negateMatch,
  removeRanges,
  replaceRanges,
  subtractSet,
  toIds,
  uniteMatches,
  uniteSets,
} from "./doc-id-set.js";

/** Dense ones become bits, thin ones ids. */
const anyIds = fc.oneof(
  fc.uniqueArray(fc.integer({ min: 0, max: 300 }), { maxLength: 300, size: "max" }),
  fc.uniqueArray(fc.integer({ min: 0, max: 5000 }), { maxLength: 60, size: "max" }),
  fc.integer({ min: 0, max: 100_000 }).map((id) => [id]),
);

const ascending = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b);
const listed = (rows: DocIdSet): number[] => Array.from(toIds(rows));

describe("sets of rows", () => {
  it("are what sets are, as ids and as bits", () => {
    fc.assert(
      fc.property(anyIds, anyIds, (a, b) => {
        const [x, y] = [makeDocIdSet([...a, ...a]), makeDocIdSet(b)];
        const inB = new Set(b);
        const expected = {
          and: ascending(a.filter((id) => inB.has(id))),
          andNot: ascending(a.filter((id) => !inB.has(id))),
          or: ascending([...a, ...b]),
        };
        for (const [name, work] of Object.entries({ and: intersectSets, andNot: subtractSet, or: uniteSets })) {
          const made = work(x, y);
          expect(listed(made)).toEqual(expected[name as keyof typeof expected]);
          expect(cardinality(made)).toBe(expected[name as keyof typeof expected].length);
        }
        // Neither argument changed.
        expect([listed(x), listed(y)]).toEqual([ascending(a), ascending(b)]);
        for (const id of [...a, ...b].slice(0, 20)) expect(containsRow(x, id)).toBe(a.includes(id));
        expect(listed(filterSet(x, (id) => inB.has(id)))).toEqual(expected.and);
      }),
    );
  });

  it("are read from both ends", () => {
    fc.assert(
      fc.property(anyIds, fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 50 }), (ids, at, limit) => {
        const rows = makeDocIdSet(ids);
        const sorted = ascending(ids);
        expect(firstIds(rows, at - 1, limit)).toEqual(sorted.filter((id) => id >= at).slice(0, limit));
        const below = sorted.filter((id) => id < at).reverse();
        expect(lastIds(rows, at, limit)).toEqual(below.slice(0, limit));
        expect(lastIds(rows, Number.POSITIVE_INFINITY, limit)).toEqual([...sorted].reverse().slice(0, limit));
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
        const rows = makeDocIdSet(ids);
        expect(listed(removeRanges(rows, ranges))).toEqual(ascending(ids.filter(isOutside)));
        const replaced = replaceRanges(rows, ranges, makeDocIdSet(more));
        expect(listed(replaced)).toEqual(ascending([...ids.filter(isOutside), ...more]));
      }),
    );
  });

  it("take no more than a bit each where they are dense", () => {
    const ids = Uint32Array.from({ length: 32_000 }, (_, i) => i);
    expect(bytesOfSet(makeSortedSet(ids))).toBe(4_000);
    expect(bytesOfSet(makeSortedSet(ids.filter((id) => id % 1000 === 0)))).toBe(128);
  });

  it("follow the laws of sets with complements", () => {
    const anySet: fc.Arbitrary<MatchSet> = fc
      .tuple(anyIds, fc.boolean())
      .map(([ids, isComplement]) => ({ rows: makeDocIdSet(ids.filter((id) => id < 6000)), isComplement }));
    const all = makeSortedSet(Uint32Array.from({ length: 6000 }, (_, i) => i));
    const shown = (set: MatchSet): number[] => listed(matchesAmong(all, set));
    fc.assert(
      fc.property(anySet, anySet, (a, b) => {
        const [inA, inB] = [new Set(shown(a)), new Set(shown(b))];
        expect(shown(intersectMatches(a, b))).toEqual([...inA].filter((id) => inB.has(id)));
        expect(shown(uniteMatches(a, b))).toEqual(ascending([...inA, ...inB]));
        expect(shown(negateMatch(a))).toEqual(Array.from(toIds(all)).filter((id) => !inA.has(id)));
      }),
      { numRuns: 60 },
    );
    expect([shown(MATCH_NONE).length, shown(MATCH_ALL).length, shown(matchExactly(makeDocIdSet([3])))]).toEqual([
      0,
      6000,
      [3],
    ]);
  });
});
