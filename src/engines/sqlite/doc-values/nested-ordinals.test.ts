import fc from "fast-check";
import { expect, it } from "vitest";
import { makeCache } from "../../../core/caches.js";
import { contiguousRanges, MATCH_ALL, makeBitmapSet, toIds } from "../bitmaps/doc-id-set.js";
import { elementNumber, elementRow, owningRecord } from "../documents/record-rows.js";
import { type NestedOrdinals, NO_ORDINAL, nestedOrdinals } from "./nested-ordinals.js";

/** Numbers of the elements of the space, by record. */
type Records = ReadonlyMap<number, readonly number[]>;

const anyRecords: fc.Arbitrary<Records> = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 4 })))
  .map((entries) => new Map(entries.map(([record, numbers]) => [record, numbers.sort((a, b) => a - b)])));

function rowsOf(records: Records): Float64Array {
  const rows = [...records].flatMap(([record, numbers]) => numbers.map((n) => elementRow(record, n)));
  return Float64Array.from(rows).sort();
}

const thing = nestedOrdinals(1, makeCache(1e6));

const aliveIn = (space: NestedOrdinals): number[] => Array.from(toIds(makeBitmapSet(space.alive.slice())));

const shown = (space: NestedOrdinals): number[] =>
  aliveIn(space)
    .map((ordinal) => space.ordinalRow(ordinal))
    .sort((a, b) => a - b);

it("holds the elements that there are, and finds the one that a row lies in, also after records changed", () => {
  fc.assert(
    fc.property(anyRecords, fc.array(anyRecords, { maxLength: 4 }), (start, changes) => {
      const now = new Map(start);
      let space = thing.make({ rows: rowsOf(now) });
      for (const change of changes) {
        for (const [record, numbers] of change) now.set(record, numbers);
        const changed = Uint32Array.from(change.keys()).sort();
        const patched = thing.patch(space, contiguousRanges(changed), { rows: rowsOf(change) });
        space = patched ?? thing.make({ rows: rowsOf(now) });
      }
      expect(shown(space)).toEqual(Array.from(rowsOf(now)));
      const having = [...now].filter(([, numbers]) => numbers.length > 0).map(([record]) => record);
      expect(Array.from(toIds(space.owningRecords(MATCH_ALL)))).toEqual(having.sort((a, b) => a - b));
      const alive = new Set(aliveIn(space));
      for (const [record, numbers] of now) {
        // No row lies before the first element, and none in a record that has no such element.
        for (let n = numbers[0] ?? 10; n < 10; n++) {
          const ordinal = space.ordinalOf(elementRow(record, n));
          expect([ordinal !== NO_ORDINAL, alive.has(ordinal)]).toEqual([true, true]);
          const row = space.ordinalRow(ordinal);
          expect([owningRecord(row), elementNumber(row)]).toEqual([record, numbers.findLast((number) => number <= n)]);
        }
      }
    }),
  );
});

it("gives each ordinal once: those of unchanged records stay", () => {
  const space = thing.make({ rows: Float64Array.of(elementRow(1, 1), elementRow(2, 1), elementRow(2, 3)) });
  expect(space.change([{ first: 1, last: 1 }], Float64Array.of(elementRow(1, 2)))).toBe(true);
  expect(aliveIn(space)).toEqual([1, 2, 3]);
  expect([space.ordinalRow(3), space.ordinalOf(elementRow(2, 4))]).toEqual([elementRow(1, 2), 2]);
});

it("is made anew when most of it is not as it was", () => {
  const space = thing.make({ rows: Float64Array.of(elementRow(1, 1)) });
  const many = Float64Array.from({ length: 10_000 }, (_, i) => elementRow(2 + i, 1));
  expect(thing.patch(space, [{ first: 2, last: 10_001 }], { rows: many })).toBeUndefined();
});
