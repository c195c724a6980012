import { elementToken } from "../../../query/index-model/record-tokens.js";
import { wordsFor } from "../bitmaps/bit-words.js";
import { type DocIdRange, type DocIdSet, lowerBound, setOf } from "../bitmaps/doc-id-set.js";
import type { MatchSet } from "../bitmaps/match-set.js";
import { grown, ParentJoin } from "../bitmaps/parent-join.js";
import type { ScanResult } from "../cache/index-scan.js";
import type { LruCache } from "../cache/lru-cache.js";
import type { CachedView } from "../cache/snapshot-cache.js";
import { elementRow, numberOf, recordOf } from "../documents/element-row-id.js";
import { phrase } from "../documents/fts-expression.js";

/** No element is there. */
export const NO_ORDINAL = 0xffff_ffff;

/** Share of elements that came later at which all are numbered anew, and how many there always may be. */
const LATE_SHARE = 4;
const LATE_MIN = 4_096;

/** In place of the epoch of a space that holds the elements of a few records only: nothing about it is kept. */
export const UNCACHED = 0;

/**
 * The elements of one array of objects, in all records. Each has an *ordinal*, given once: elements of a changed record
 * get new ones at the end, their old ones are deleted. Sets of elements are sets of ordinals; deleted ones are
 * taken away when a group is left.
 */
export class NestedOrdinals {
  readonly #records = new ParentJoin();
  #numbers: Uint32Array = new Uint32Array(0);
  #alive: Uint32Array = new Uint32Array(0);
  /** Ordinals below it ascend with record and number. */
  readonly #sorted: number;
  /** First ordinal of the records that changed or came later. */
  readonly #moved = new Map<number, number>();
  /** Where the last look-up ended: they mostly ascend. */
  #at = 0;
  #end = 0;

  /**
   * @param epoch tells the ordinals of this space from those of one that was made anew, or OF_FEW
   * @param rows rows of the elements, ascending
   */
  constructor(
    readonly epoch: number,
    rows: Float64Array,
  ) {
    this.#sorted = rows.length;
    this.#append(rows);
  }

  /** How many ordinals were given. */
  get size(): number {
    return this.#records.size;
  }

  get bytes(): number {
    return this.#records.bytes + this.#numbers.byteLength + this.#alive.byteLength + this.#moved.size * 48;
  }

  /** A bit for each ordinal: does its element exist? */
  get alive(): Uint32Array {
    return this.#alive;
  }

  /** The records of the elements that are in the set. */
  recordsOf(set: MatchSet): DocIdSet {
    return this.#records.ownersOf(set, this.#alive, this.#end);
  }

  recordOf(ordinal: number): number {
    return this.#records.owners[ordinal]!;
  }

  rowOf(ordinal: number): number {
    return elementRow(this.#records.owners[ordinal]!, this.#numbers[ordinal]!);
  }

  /** The elements of the records in the ranges are these now. @returns false where all should be numbered anew */
  change(ranges: readonly DocIdRange[], rows: Float64Array): boolean {
    for (const range of ranges) this.#kill(range);
    let before = -1;
    for (const [i, row] of rows.entries()) {
      const record = recordOf(row);
      if (record !== before) this.#moved.set(record, this.size + i);
      before = record;
    }
    this.#append(rows);
    return (this.size - this.#sorted) * LATE_SHARE <= this.#sorted + LATE_MIN * LATE_SHARE;
  }

  /** The ordinals that the rows of elements lie in or are; rows that lie in none are left out. */
  ordinalsOf(rows: Float64Array): DocIdSet {
    const ordinals = new Uint32Array(rows.length);
    let n = 0;
    for (const row of rows) {
      const ordinal = this.ordinalOf(row);
      if (ordinal !== NO_ORDINAL && ordinals[n - 1] !== ordinal) ordinals[n++] = ordinal;
    }
    return setOf(ordinals.subarray(0, n), this.size);
  }

  /**
   * The ordinal that one row lies in or is. Elements are numbered in document order: it is the last one of the record
   * that is not after it. The caller knows that its path lies under that of the space.
   */
  ordinalOf(row: number): number {
    const [record, number] = [recordOf(row), numberOf(row)];
    const [records, numbers] = [this.#records.owners, this.#numbers];
    const start = this.#moved.get(record) ?? this.#sortedStart(record);
    let ordinal = NO_ORDINAL;
    for (let at = start; at < this.size && records[at] === record && numbers[at]! <= number; at++) ordinal = at;
    return ordinal;
  }

  /** The first sorted ordinal of the record, or of the one after it. */
  #sortedStart(record: number): number {
    const records = this.#records.owners;
    let low = 0;
    let high = this.#at;
    if (high < this.#sorted && records[high]! <= record) {
      // The same record as before, or one after it: mostly it is near.
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
      this.#numbers = grown(this.#numbers, room);
      this.#alive = grown(this.#alive, wordsFor(room));
    }
    for (const row of rows) {
      const record = recordOf(row);
      const ordinal = this.#records.append(record);
      if (record >= this.#end) this.#end = record + 1;
      this.#numbers[ordinal] = numberOf(row);
      this.#alive[ordinal >>> 5]! |= 1 << (ordinal & 31);
    }
  }
}

/** @param path id of the path of an array of objects */
export function nestedOrdinals(path: number, { nextEpoch: nextNumber }: LruCache): CachedView<NestedOrdinals> {
  return {
    key: `space ${path}`,
    scan: { kind: "elements", matches: [phrase([elementToken(path)])] },
    make: ({ rows }: ScanResult) => new NestedOrdinals(nextNumber(), rows),
    patch: (space, ranges, { rows }) => (space.change(ranges, rows) ? space : undefined),
    bytesOf: (space) => space.bytes,
  };
}
