import fc from "fast-check";
import { expect, it } from "vitest";
import { contiguousRanges, toIds } from "../bitmaps/doc-id-set.js";
import { mergeResults, type ScanResult } from "../cache/index-scan.js";
import type { CachedView } from "../cache/snapshot-cache.js";
import { elementRow } from "../documents/record-rows.js";
import { EVERY_NUMBER, type NumericColumn, numericColumn, ownersBetween } from "./numeric-column.js";

/** Values by record: what a column is made of, and changed to. */
type Records = ReadonlyMap<number, readonly number[]>;

const anyRecords = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 80 }), fc.array(fc.integer({ min: -3, max: 9 }), { maxLength: 3 })))
  .map((entries) => new Map(entries));

const anyHistory = fc.tuple(anyRecords, fc.array(anyRecords, { maxLength: 4 }));

/** A column after all changes, and the records as they are then. */
function follow(
  thing: CachedView<NumericColumn>,
  [start, changes]: readonly [Records, readonly Records[]],
): [NumericColumn, Records] {
  const now = new Map(start);
  let column = thing.make(answerOf(thing, now));
  for (const change of changes) {
    for (const [record, values] of change) now.set(record, values);
    const changed = Uint32Array.from(change.keys()).sort();
    const patched = thing.patch(column, contiguousRanges(changed), answerOf(thing, change));
    column = patched ?? thing.make(answerOf(thing, now));
  }
  return [column, now];
}

function answerOf({ scan: question }: CachedView<NumericColumn>, records: Records): ScanResult {
  const pairs = [...records].flatMap(([record, values]) =>
    values.map((value) => [elementRow(record, 2), value] as const),
  );
  const answer = { rows: pairs.map(([row]) => row), values: pairs.map(([, value]) => value) };
  return mergeResults([answer], question);
}

const having = (records: Records, fits: (value: number) => boolean): number[] =>
  [...records].flatMap(([record, values]) => (values.some(fits) ? [record] : [])).sort((a, b) => a - b);

it("knows who has a number in a range, also after records changed", () => {
  const anyEnd = fc.integer({ min: -4, max: 10 });
  fc.assert(
    fc.property(anyHistory, anyEnd, fc.boolean(), anyEnd, fc.boolean(), (history, from, takesFrom, to, takesTo) => {
      const [column, records] = follow(numericColumn(1, "records"), history);
      const fits = (value: number): boolean =>
        (takesFrom ? value >= from : value > from) && (takesTo ? value <= to : value < to);
      expect(Array.from(toIds(ownersBetween(column, { from, takesFrom, to, takesTo })))).toEqual(having(records, fits));
      expect(Array.from(toIds(ownersBetween(column, EVERY_NUMBER)))).toEqual(having(records, () => true));
    }),
  );
});
