import type { Cache } from "../../../core/caches.js";
import { elementToken } from "../../../query/index-model/record-document.js";
import { wordsFor } from "../bitmaps/bit-words.js";
import { type DocIdRange, type DocIdSet, lowerBound, type MatchSet, makeDocIdSet } from "../bitmaps/doc-id-set.js";
import { enlarge, ParentJoin } from "../bitmaps/parent-join.js";
import type { ScanResult } from "../cache/index-scan.js";
import type { CachedView } from "../cache/snapshot-cache.js";
import { phrase } from "../documents/fts-expression.js";
import { elementNumber, elementRow, owningRecord } from "../documents/record-rows.js";

/** Stands for a missing element. */
export const NO_ORDINAL = 0xffff_ffff;

/** Share of elements added later at which all are renumbered, and the number that is always allowed. */
const LATE_SHARE = 4;
const LATE_MIN = 4_096;

/** Epoch of a space with the elements of a few records only, about which nothing is cached. */
export const UNCACHED = 0;

/**
 * The elements of one array of objects in all records. Each has an *ordinal*, which is never reused: elements of a
 * changed record get new ones at the end, and their old ones are deleted. Sets of elements are sets of ordinals;
 * deleted ones are removed when a group is left.
 */
export class NestedOrdinals {
  readonly #records = new ParentJoin();
  #numbers: Uint32Array = new Uint32Array(0);
  #alive: Uint32Array = new Uint32Array(0);
  /** Ordinals below it are sorted by record and number. */
  readonly #sorted: number;
  /** First ordinal of each record that was changed or added later. */
  readonly #moved = new Map<number, number>();
  /** Place where the last look-up ended; look-ups mostly ascend. */
  #at = 0;
  #end = 0;

  /**
   * @param epoch distinguishes the ordinals of this space from those of a renumbered one, or is UNCACHED
   * @param rows rows of the elements, ascending
   */
  constructor(
    readonly epoch: number,
    rows: Float64Array,
  ) {
    this.#sorted = rows.length;
    this.#append(rows);
  }

  /** Number of assigned ordinals. */
  get size(): number {
    return this.#records.size;
  }

  get bytes(): number {
    return this.#records.bytes + this.#numbers.byteLength + this.#alive.byteLength + this.#moved.size * 48;
  }

  /** A bit for each ordinal that says whether its element exists. */
  get alive(): Uint32Array {
    return this.#alive;
  }

  /** Returns the records of the elements in the set. */
  owningRecords(set: MatchSet): DocIdSet {
    return this.#records.ownersOf(set, this.#alive, this.#end);
  }

  recordOf(ordinal: number): number {
    return this.#records.owners[ordinal]!;
  }

  ordinalRow(ordinal: number): number {
    return elementRow(this.#records.owners[ordinal]!, this.#numbers[ordinal]!);
  }

  /** Replaces the elements of the records in the ranges. @returns false if all elements should be renumbered */
  change(ranges: readonly DocIdRange[], rows: Float64Array): boolean {
    for (const range of ranges) this.#kill(range);
    let previousRecord = -1;
    for (const [i, row] of rows.entries()) {
      const record = owningRecord(row);
      if (record !== previousRecord) this.#moved.set(record, this.size + i);
      previousRecord = record;
    }
    this.#append(rows);
    return (this.size - this.#sorted) * LATE_SHARE <= this.#sorted + LATE_MIN * LATE_SHARE;
  }

  /** Returns the ordinals of the elements that contain or equal the rows; other rows are left out. */
  ordinalsOf(rows: Float64Array): DocIdSet {
    const ordinals = new Uint32Array(rows.length);
    let n = 0;
    for (const row of rows) {
      const ordinal = this.ordinalOf(row);
      if (ordinal !== NO_ORDINAL && ordinals[n - 1] !== ordinal) ordinals[n++] = ordinal;
    }
    return makeDocIdSet(ordinals.subarray(0, n), this.size);
  }

  /**
   * Returns the ordinal of the element that contains or equals the row. Elements are numbered in document order, so it
   * is the last one of the record that is not after the row. The path of the row must be under that of the space.
   */
  ordinalOf(row: number): number {
    const [record, number] = [owningRecord(row), elementNumber(row)];
    const [records, numbers] = [this.#records.owners, this.#numbers];
    const start = this.#moved.get(record) ?? this.#sortedStart(record);
    let ordinal = NO_ORDINAL;
    for (let at = start; at < this.size && records[at] === record && numbers[at]! <= number; at++) ordinal = at;
    return ordinal;
  }

  /** Returns the first sorted ordinal of the record, or of the next one. */
  #sortedStart(record: number): number {
    const records = this.#records.owners;
    let low = 0;
    let high = this.#at;
    if (high < this.#sorted && records[high]! <= record) {
      // The same record as in the last look-up, or a later one, which is mostly near.
      low = high;
      for (let step = 1; high < this.#sorted && records[high]! < record; step *= 2) {
        low = high;
        high = Math.min(high + step, this.#sorted);
      }
    }
    this.#at = lowerBound(records, record, low, high);
    return this.#at;
  }

  #kill({ first, last }: DocIdRange): void {
    const records = this.#records.owners;
    const end = lowerBound(records, last + 1, 0, this.#sorted);
    for (let at = lowerBound(records, first, 0, this.#sorted); at < end; at++) this.#clear(at);
    for (let record = first; record <= last; record++) {
      const start = this.#moved.get(record);
      if (start === undefined) continue;
      for (let at = start; at < this.size && records[at] === record; at++) this.#clear(at);
      this.#moved.delete(record);
    }
  }

  #clear(ordinal: number): void {
    this.#alive[ordinal >>> 5]! &= ~(1 << (ordinal & 31));
  }

  #append(rows: Float64Array): void {
    this.#records.reserve(rows.length);
    const room = this.#records.owners.length;
    if (room > this.#numbers.length) {
      this.#numbers = enlarge(this.#numbers, room);
      this.#alive = enlarge(this.#alive, wordsFor(room));
    }
    for (const row of rows) {
      const record = owningRecord(row);
      const ordinal = this.#records.append(record);
      if (record >= this.#end) this.#end = record + 1;
      this.#numbers[ordinal] = elementNumber(row);
      this.#alive[ordinal >>> 5]! |= 1 << (ordinal & 31);
    }
  }
}

/** Returns the view of the elements. @param path id of the path of an array of objects */
export function nestedOrdinals(path: number, { nextEpoch: nextNumber }: Cache): CachedView<NestedOrdinals> {
  return {
    key: `space ${path}`,
    scan: { kind: "elements", matches: [phrase([elementToken(path)])] },
    make: ({ rows }: ScanResult) => new NestedOrdinals(nextNumber(), rows),
    patch: (space, ranges, { rows }) => (space.change(ranges, rows) ? space : undefined),
    measureBytes: (space) => space.bytes,
  };
}
