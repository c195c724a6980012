import { type Column, eachOwner } from "./columns.js";
import type { Rows } from "./rows.js";
import type { Tally } from "./tally.js";

/** @returns how many hits each bucket of the tally has; a hit counts once, however many of its keys count there */
export function countKeys(columns: readonly Column[], hits: Rows, tally: Tally): Uint32Array {
  const [column, ...others] = columns;
  if (column === undefined) return new Uint32Array(tally.size);
  return others.length === 0 ? countColumn(column, hits, tally) : countColumns(columns, hits, tally);
}

function countColumn(column: Column, hits: Rows, { size, starts, buckets, isFlat }: Tally): Uint32Array {
  const counts = new Uint32Array(size);
  // Keys that meet no other of their record in a bucket are counted by themselves, and get to their buckets at the end.
  const alone = new Uint32Array(starts.length);
  // The last record that a bucket counted, from 1.
  const last = new Uint32Array(size);
  eachOwner(column, hits, (record, keys, start, end) => {
    if (isFlat || end - start === 1) {
      for (let at = start; at < end; at++) alone[keys[at]!]! += 1;
      return;
    }
    for (let at = start; at < end; at++) {
      const key = keys[at]!;
      for (let slot = starts[key]!; slot < starts[key + 1]!; slot++) {
        const bucket = buckets[slot]!;
        if (last[bucket] === record + 1) continue;
        last[bucket] = record + 1;
        counts[bucket]! += 1;
      }
    }
  });
  for (let key = 0; key < starts.length - 1; key++) {
    if (alone[key] === 0) continue;
    for (let slot = starts[key]!; slot < starts[key + 1]!; slot++) counts[buckets[slot]!]! += alone[key]!;
  }
  return counts;
}

/** Two columns may have the same text, and so the same bucket, for one record. */
function countColumns(columns: readonly Column[], hits: Rows, { size, starts, buckets }: Tally): Uint32Array {
  const counts = new Uint32Array(size);
  const seen = new Set<number>();
  for (const column of columns) {
    eachOwner(column, hits, (record, keys, start, end) => {
      for (let at = start; at < end; at++) {
        const key = keys[at]!;
        for (let slot = starts[key]!; slot < starts[key + 1]!; slot++) {
          const place = record * size + buckets[slot]!;
          if (seen.has(place)) continue;
          seen.add(place);
          counts[buckets[slot]!]! += 1;
        }
      }
    });
  }
  return counts;
}
