import fc from "fast-check";
import { expect, it } from "vitest";
import {
  type Column,
  EVERY_NUMBER,
  eachOwner,
  keyColumn,
  numberColumn,
  ownersBetween,
  ownersOfKeys,
} from "./columns.js";
import { elementRow } from "./element-rows.js";
import type { Thing } from "./looking.js";
import { type Answer, joinAnswers } from "./question.js";
import { rangesOf } from "./record-level.js";
import { idsOf, rowsOfAny } from "./rows.js";

/** Values by record: what a column is made of, and changed to. */
type Records = ReadonlyMap<number, readonly number[]>;

const anyRecords = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 80 }), fc.array(fc.integer({ min: -3, max: 9 }), { maxLength: 3 })))
  .map((entries) => new Map(entries));

const anyHistory = fc.tuple(anyRecords, fc.array(anyRecords, { maxLength: 4 }));

/** A column after all changes, and the records as they are then. */
function follow(thing: Thing<Column>, [start, changes]: readonly [Records, readonly Records[]]): [Column, Records] {
  const now = new Map(start);
  let column = thing.make(answerOf(thing, now));
  for (const change of changes) {
    for (const [record, values] of change) now.set(record, values);
    const changed = Uint32Array.from(change.keys()).sort();
    const patched = thing.patch(column, rangesOf(changed), answerOf(thing, change));
    column = patched ?? thing.make(answerOf(thing, now));
  }
  return [column, now];
}

function answerOf({ question }: Thing<Column>, records: Records): Answer {
  const pairs = [...records].flatMap(([record, values]) =>
    values.map((value) => [elementRow(record, 2), value] as const),
  );
  const answer = { rows: pairs.map(([row]) => row), values: pairs.map(([, value]) => value) };
  return joinAnswers([answer], question);
}

const having = (records: Records, fits: (value: number) => boolean): number[] =>
  [...records].flatMap(([record, values]) => (values.some(fits) ? [record] : [])).sort((a, b) => a - b);

it("knows who has a number in a range, also after records changed", () => {
  const anyEnd = fc.integer({ min: -4, max: 10 });
  fc.assert(
    fc.property(anyHistory, anyEnd, fc.boolean(), anyEnd, fc.boolean(), (history, from, takesFrom, to, takesTo) => {
      const [column, records] = follow(numberColumn(1, "records"), history);
      const fits = (value: number): boolean =>
        (takesFrom ? value >= from : value > from) && (takesTo ? value <= to : value < to);
      expect(Array.from(idsOf(ownersBetween(column, { from, takesFrom, to, takesTo })))).toEqual(having(records, fits));
      expect(Array.from(idsOf(ownersBetween(column, EVERY_NUMBER)))).toEqual(having(records, () => true));
    }),
  );
});

it("knows who has one of some keys, and all keys of some records", () => {
  const keyed = anyHistory.map(([start, changes]) => {
    const positive = (records: Records): Records =>
      new Map([...records].map(([record, values]) => [record, values.map((value) => value + 3)]));
    return [positive(start), changes.map(positive)] as const;
  });
  fc.assert(
    fc.property(keyed, fc.uniqueArray(fc.integer({ min: 0, max: 12 })), (history, wanted) => {
      const [column, records] = follow(keyColumn(1, "records"), history);
      const counts = Uint8Array.from({ length: 13 }, (_, key) => (wanted.includes(key) ? 1 : 0));
      const expected = having(records, (key) => wanted.includes(key));
      expect(Array.from(idsOf(ownersOfKeys(column, counts)))).toEqual(expected);

      const some = [...records.keys()].filter((record) => record % 3 > 0);
      const seen: string[] = [];
      eachOwner(column, rowsOfAny(some), (record, keys, start, end) => {
        for (let at = start; at < end; at++) seen.push(`${record} ${keys[at]}`);
      });
      expect(seen.sort()).toEqual(
        some.flatMap((record) => [...new Set(records.get(record)!)].map((key) => `${record} ${key}`)).sort(),
      );
    }),
  );
});
