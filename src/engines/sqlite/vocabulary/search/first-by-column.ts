import { cardinality, containsRow, type DocIdSet, lowerBound, toIds } from "../../bitmaps/doc-id-set.js";

/** A saved order of the ranked rows: place by row, and row by place. */
interface SavedOrder {
  /** Places (from 0) by row (from 1). */
  readonly places: Uint32Array;
  /** Returns the rows by place; 0 for a deleted row. */
  rows(): Uint32Array;
}

/** The part of an order that is requested. */
interface OrderSlice {
  /** Maximum number of rows. */
  readonly limit: number;
  /** Whether the order is read from the last place to the first. */
  readonly isDescending: boolean;
  /** The first place that counts; absent: all places count. */
  readonly from?: number;
  /** Whether no place counts. */
  readonly isEmpty?: boolean;
}

/** If a set has fewer rows, the places of all of them are read. */
const WALKED_ROWS_MIN = 4_096;

/** Walking over this many places takes as long as reading the place of one row and putting it into the heap. */
const PLACES_PER_ROW = 4;

/**
 * The walk ends without a result after this many times the number of places that evenly distributed rows would need.
 * Rows with a word in their titles are close together, mostly far from the first place.
 */
const PATIENCE = 32;

/** Returns the first ranked rows of a set in an order. */
export function firstByColumn(rows: DocIdSet, order: SavedOrder, slice: OrderSlice): readonly number[] {
  if (slice.isEmpty === true) return [];
  const expected = (slice.limit * order.places.length) / cardinality(rows);
  const placesMax = cardinality(rows) * PLACES_PER_ROW;
  const isDense = cardinality(rows) >= WALKED_ROWS_MIN && expected < placesMax;
  const walked = isDense ? walkPlaces(rows, order.rows(), slice, Math.min(placesMax, expected * PATIENCE)) : undefined;
  return walked ?? selectByPlace(rows, order.places, slice);
}

/** Finds the first rows by walking over the places in order. @returns undefined after `placesMax` places */
function walkPlaces(
  rows: DocIdSet,
  rowAt: Uint32Array,
  { limit, isDescending, from }: OrderSlice,
  placesMax: number,
): number[] | undefined {
  const firstRows: number[] = [];
  const step = isDescending ? -1 : 1;
  let place = from ?? (isDescending ? rowAt.length - 1 : 0);
  for (let count = 0; firstRows.length < limit; count++, place += step) {
    const row = rowAt[place];
    if (row === undefined) break;
    if (count >= placesMax) return undefined;
    if (containsRow(rows, row)) firstRows.push(row);
  }
  return firstRows;
}

/** Selects the first rows by reading the places of all rows of the set. */
function selectByPlace(rows: DocIdSet, places: Uint32Array, { limit, isDescending, from }: OrderSlice): number[] {
  const all = toIds(rows);
  const ids = all.subarray(0, lowerBound(all, places.length + 1));
  // A smaller key comes first. The heap contains the first rows so far, with the last of them on top.
  const lastPlace = places.length - 1;
  const sortPlace = isDescending ? (id: number) => lastPlace - places[id - 1]! : (id: number) => places[id - 1]!;
  const keyMin = from === undefined ? 0 : isDescending ? lastPlace - from : from;
  const heap = new Heap(Math.min(limit, ids.length));
  for (const id of ids) {
    const key = sortPlace(id);
    if (key >= keyMin && (heap.size < limit || key < heap.top)) heap.put(key, id);
  }
  return heap.sorted();
}

/** A heap of the rows with the smallest keys, the largest of them on top. */
class Heap {
  readonly #capacity: number;
  readonly #keys: Uint32Array;
  readonly #ids: Uint32Array;
  size = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#keys = new Uint32Array(capacity);
    this.#ids = new Uint32Array(capacity);
  }

  get top(): number {
    return this.#keys[0]!;
  }

  put(key: number, id: number): void {
    if (this.size < this.#capacity) this.#rise(this.size++, key, id);
    else this.#sink(key, id);
  }

  sorted(): number[] {
    const order = Array.from({ length: this.size }, (_, i) => i).sort((a, b) => this.#keys[a]! - this.#keys[b]!);
    return order.map((i) => this.#ids[i]!);
  }

  #set(at: number, key: number, id: number): void {
    this.#keys[at] = key;
    this.#ids[at] = id;
  }

  #rise(start: number, key: number, id: number): void {
    let at = start;
    while (at > 0) {
      const above = (at - 1) >>> 1;
      if (this.#keys[above]! >= key) break;
      this.#set(at, this.#keys[above]!, this.#ids[above]!);
      at = above;
    }
    this.#set(at, key, id);
  }

  #sink(key: number, id: number): void {
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.size) break;
      if (below + 1 < this.size && this.#keys[below + 1]! > this.#keys[below]!) below += 1;
      if (this.#keys[below]! <= key) break;
      this.#set(at, this.#keys[below]!, this.#ids[below]!);
      at = below;
    }
    this.#set(at, key, id);
  }
}
