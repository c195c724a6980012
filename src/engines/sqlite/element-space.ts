import { elementRow, numberOf, recordOf } from "./element-rows.js";
import type { Thing } from "./looking.js";
import { phrase } from "./match.js";
import type { Memory } from "./memory.js";
import type { Answer } from "./question.js";
import { lowerBound, type RowRange, type Rows, rowsOfAny, rowsOfBits } from "./rows.js";
import { elementToken } from "./tokens.js";

/** No element is there. */
export const NONE = 0xffff_ffff;

/** Share of elements that came later at which all are numbered anew, and how many there always may be. */
const LATE_SHARE = 4;
const LATE_MIN = 4_096;

/**
 * The elements of one array of objects, in all records. Each has an *ordinal*, given once: elements of a changed record
 * get new ones at the end, their old ones die. Sets about elements are sets of ordinals; what is dead in them is
 * taken away when a group is left.
 */
export class ElementSpace {
  size = 0;
  #records: Uint32Array;
  #numbers: Uint32Array;
  #alive: Uint32Array;
  /** Ordinals below it ascend with record and number. */
  readonly #sorted: number;
  /** First ordinal of the records that changed or came later. */
  readonly #late = new Map<number, number>();
  /** Where the last look-up ended: they mostly ascend. */
  #at = 0;
  #end = 0;
  /** `#alive` as a set, until it changes. */
  #living: Rows | undefined;

  /**
   * @param epoch tells the ordinals of this space from those of one that was made anew
   * @param rows rows of the elements, ascending
   */
  constructor(
    readonly epoch: number,
    rows: Float64Array,
  ) {
    this.#sorted = rows.length;
    this.#records = new Uint32Array(rows.length);
    this.#numbers = new Uint32Array(rows.length);
    this.#alive = new Uint32Array(Math.ceil(rows.length / 32));
    this.#append(rows);
  }

  get bytes(): number {
    return this.#records.byteLength + this.#numbers.byteLength + this.#alive.byteLength + this.#late.size * 48;
  }

  /** Ordinals of the elements that there are. */
  alive(): Rows {
    this.#living ??= rowsOfBits(this.#alive.slice(0, Math.ceil(this.size / 32)));
    return this.#living;
  }

  /** The record of each ordinal. */
  get records(): Uint32Array {
    return this.#records;
  }

  /** Above all records that have elements here. */
  get end(): number {
    return this.#end;
  }

  recordOf(ordinal: number): number {
    return this.#records[ordinal]!;
  }

  rowOf(ordinal: number): number {
    return elementRow(this.#records[ordinal]!, this.#numbers[ordinal]!);
  }

  /** The elements of the records in the ranges are these now. @returns false where all should be numbered anew */
  change(ranges: readonly RowRange[], rows: Float64Array): boolean {
    this.#living = undefined;
    for (const range of ranges) this.#kill(range);
    let before = -1;
    for (const [i, row] of rows.entries()) {
      const record = recordOf(row);
      if (record !== before) this.#late.set(record, this.size + i);
      before = record;
    }
    this.#append(rows);
    return (this.size - this.#sorted) * LATE_SHARE <= this.#sorted + LATE_MIN * LATE_SHARE;
  }

  /** The ordinals that the rows of elements lie in or are; rows that lie in none are left out. */
  ordinalsOf(rows: Float64Array): Rows {
    const ordinals = new Uint32Array(rows.length);
    let n = 0;
    for (const row of rows) {
      const ordinal = this.ordinalOf(row);
      if (ordinal !== NONE && ordinals[n - 1] !== ordinal) ordinals[n++] = ordinal;
    }
    return rowsOfAny(ordinals.subarray(0, n));
  }

  /**
   * The ordinal that one row lies in or is. Elements are numbered in document order: it is the last one of the record
   * that is not after it. The caller knows that its path lies under that of the space.
   */
  ordinalOf(row: number): number {
    const [record, number] = [recordOf(row), numberOf(row)];
    const start = this.#late.get(record) ?? this.#sortedStart(record);
    let ordinal = NONE;
    for (let at = start; at < this.size && this.#records[at] === record && this.#numbers[at]! <= number; at++) {
      ordinal = at;
    }
    return ordinal;
  }

  #sortedStart(record: number): number {
    const near = this.#records[this.#at];
    // The same record as before, or one soon after it.
    if (near !== undefined && near <= record) {
      let at = this.#at;
      for (let steps = 0; steps < 64 && at < this.#sorted; steps++, at++) {
        if (this.#records[at]! < record) continue;
        while (at > 0 && this.#records[at - 1] === record) at--;
        this.#at = at;
        return at;
      }
    }
    this.#at = lowerBound(this.#records.subarray(0, this.#sorted), record);
    return this.#at;
  }

  #kill({ first, last }: RowRange): void {
    const sorted = this.#records.subarray(0, this.#sorted);
    const end = lowerBound(sorted, last + 1);
    for (let at = lowerBound(sorted, first); at < end; at++) this.#clear(at);
    for (let record = first; record <= last; record++) {
      const start = this.#late.get(record);
      if (start === undefined) continue;
      for (let at = start; at < this.size && this.#records[at] === record; at++) this.#clear(at);
      this.#late.delete(record);
    }
  }

  #clear(ordinal: number): void {
    this.#alive[ordinal >>> 5]! &= ~(1 << (ordinal & 31));
  }

  #append(rows: Float64Array): void {
    const size = this.size + rows.length;
    if (size > this.#records.length) {
      const room = size + (size >>> 3);
      this.#records = grown(this.#records, room);
      this.#numbers = grown(this.#numbers, room);
      this.#alive = grown(this.#alive, Math.ceil(room / 32));
    }
    for (const row of rows) {
      const ordinal = this.size++;
      const record = recordOf(row);
      this.#records[ordinal] = record;
      if (record >= this.#end) this.#end = record + 1;
      this.#numbers[ordinal] = numberOf(row);
      this.#alive[ordinal >>> 5]! |= 1 << (ordinal & 31);
    }
  }
}

function grown(from: Uint32Array, length: number): Uint32Array {
  const to = new Uint32Array(length);
  to.set(from);
  return to;
}

/** @param path id of the path of an array of objects */
export function elementSpace(path: number, { nextNumber }: Memory): Thing<ElementSpace> {
  return {
    key: `space ${path}`,
    question: { kind: "elements", matches: [phrase([elementToken(path)])] },
    make: ({ rows }: Answer) => new ElementSpace(nextNumber(), rows),
    patch: (space, ranges, { rows }) => (space.change(ranges, rows) ? space : undefined),
    bytesOf: (space) => space.bytes,
  };
}
