import fc from "fast-check";
import { expect, it } from "vitest";
import { makeBins } from "../../../core/catalog/facet-kinds/histogram.js";
import { contiguousRanges, makeDocIdSet, toIds } from "../bitmaps/doc-id-set.js";
import { mergeResults, type ScanResult } from "../cache/index-scan.js";
import type { CachedView } from "../cache/snapshot-cache.js";
import { elementRow } from "../documents/record-rows.js";
import { bucketColumn } from "../search/record-facets.js";
import { type OrdinalColumn, ordinalColumn, ownersOfKeys } from "./ordinal-column.js";

/** Values by record: what a column is made of, and changed to. */
type Records = ReadonlyMap<number, readonly number[]>;

/** In a row, or far from each other: a column of few among many is kept in another way. */
const anyHistory = fc
  .record({
    step: fc.constantFrom(1, 1, 50),
    records: fc.array(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 80 }), fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 4 })), {
        maxLength: 60,
      }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map(({ step, records }) =>
    records.map((entries): Records => new Map(entries.map(([record, values]) => [record * step, values]))),
  );

/** A value after all changes, and the records as they are then. */
function follow<T>(thing: CachedView<T>, [start, ...changes]: readonly Records[]): [T, Map<number, readonly number[]>] {
  const now = new Map(start);
  let value = thing.make(answerOf(thing, now));
  for (const change of changes) {
    for (const [record, values] of change) now.set(record, values);
    const ranges = contiguousRanges(Uint32Array.from(change.keys()).sort());
    value = thing.patch(value, ranges, answerOf(thing, change)) ?? thing.make(answerOf(thing, now));
  }
  return [value, now];
}

function answerOf({ scan }: Pick<CachedView<unknown>, "scan">, records: Records): ScanResult {
  const pairs = [...records].flatMap(([record, values]) =>
    values.map((value) => [elementRow(record, 2), value] as const),
  );
  const answer = { rows: pairs.map(([row]) => row), values: pairs.map(([, value]) => value) };
  return mergeResults([answer], scan);
}

function expectKeys(column: OrdinalColumn, records: Records, keyOf: (value: number) => number): void {
  const some = [...records.keys()].filter((record) => record % 3 > 0);
  const keysOf = (record: number): number[] => [...new Set(records.get(record)!.map(keyOf))].sort((a, b) => a - b);
  for (const record of records.keys()) expect([...column.sets.keysInSet(column.setOf(record))]).toEqual(keysOf(record));
  const counts = [...column.countSets(makeDocIdSet(some))].flatMap((count, set) =>
    set > 0 && count > 0 ? [[[...column.sets.keysInSet(set)].join(" "), count] as const] : [],
  );
  const expected = new Map<string, number>();
  for (const keys of some.map((record) => keysOf(record).join(" "))) {
    if (keys !== "") expected.set(keys, (expected.get(keys) ?? 0) + 1);
  }
  expect(new Map(counts)).toEqual(expected);
  expect(counts).toHaveLength(expected.size);
}

it("knows all keys of each record, who has one of some, and how many have the same, also after records changed", () => {
  fc.assert(
    fc.property(anyHistory, fc.uniqueArray(fc.integer({ min: 0, max: 12 })), (history, wanted) => {
      const [column, records] = follow(ordinalColumn(1, "records"), history);
      expectKeys(column, records, (key) => key);
      const having = [...records].flatMap(([record, keys]) => (keys.some((key) => wanted.includes(key)) ? record : []));
      expect(Array.from(toIds(ownersOfKeys(column, (key) => wanted.includes(key))))).toEqual(
        having.sort((a, b) => a - b),
      );
    }),
  );
});

it("knows the buckets of numbers in the same way", () => {
  const edges = [2, 5, 6];
  fc.assert(
    fc.property(anyHistory, (history) => {
      const thing = bucketColumn(1, makeBins(edges));
      const [{ column, names }, records] = follow(thing, history);
      const nameOf = (value: number): string => ["..2", "2..5", "5..6", "6.."][edges.filter((e) => e <= value).length]!;
      expectKeys(column, records, (value) => names.all.indexOf(nameOf(value)));
    }),
  );
});

it.each([200, 300, 70_000])("has room for %i different sets, and for owners that come later", (count) => {
  const thing = ordinalColumn(1, "records");
  const records = (from: number, end: number): Records =>
    new Map(Array.from({ length: end - from }, (_, i) => [from + i, [from + i, from + i + 1]]));
  const [column] = follow(thing, [records(1, count), records(count, count + 100)]);
  expect(column.sets.size).toBe(count + 100);
  for (const owner of [1, 255, 256, count, count + 99]) {
    expect([...column.sets.keysInSet(column.setOf(owner))]).toEqual(owner < count + 100 ? [owner, owner + 1] : []);
  }
  expect(column.bytes).toBeGreaterThan(count * 8);
});

it("takes a byte for a record where there are few sets", () => {
  const records: Records = new Map(Array.from({ length: 100_000 }, (_, i) => [i + 1, [i % 3, 7]]));
  const [column] = follow(ordinalColumn(1, "records"), [records]);
  expect(column.sets.size).toBe(4);
  expect(column.bytes).toBeLessThan(102_000);
});

it("is read anew when sets come and go without end", () => {
  const thing = ordinalColumn(1, "records");
  const column = thing.make(answerOf(thing, new Map([[1, [0]]])));
  const changed = (key: number): OrdinalColumn | undefined =>
    thing.patch(column, [{ first: 1, last: 1 }], answerOf(thing, new Map([[1, [key]]])));
  let key = 1;
  while (changed(key) !== undefined && key < 100_000) key++;
  expect(key).toBeGreaterThan(10_000);
  expect(key).toBeLessThan(20_000);
});
