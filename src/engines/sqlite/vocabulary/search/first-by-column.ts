import { cardinality, contains, type DocIdSet, lowerBound, toIds } from "../../bitmaps/doc-id-set.js";

/** The order of the ranked rows, both ways. */
interface SavedOrder {
  /** By row, from 1: its place, from 0. */
  readonly places: Uint32Array;
  /** By place: its row, 0 where none is left. */
  rows(): Uint32Array;
}

/** Which of the rows are wanted, by their places in an order. */
interface Wanted {
  readonly wanted: number;
  /** From the last place to the first. */
  readonly isDown: boolean;
  /** The first place that counts. */
  readonly from?: number;
  /** No place counts. */
  readonly none?: boolean;
}

/** Of fewer rows the places of all are looked at. */
const WALKED_ROWS_MIN = 4_096;

/** To walk over so many places takes no longer than to look at a row of the set and put it among the first ones. */
const PLACES_PER_ROW = 4;

/**
 * Rows that lay anywhere in the order would be found after the expected places. Those of a word of titles lie together,
 * mostly far from the first place: after so many times the expected places the walk is given up.
 */
const PATIENCE = 32;

/** The first ranked rows of a set in an order, at most as many as wanted. */
export function firstByColumn(rows: DocIdSet, order: SavedOrder, wanted: Wanted): readonly number[] {
  if (wanted.none === true) return [];
  const expected = (wanted.wanted * order.places.length) / cardinality(rows);
  const most = cardinality(rows) * PLACES_PER_ROW;
  const isDense = cardinality(rows) >= WALKED_ROWS_MIN && expected < most;
  const walked = isDense ? walkPlaces(rows, order.rows(), wanted, Math.min(most, expected * PATIENCE)) : undefined;
  return walked ?? leastPlaces(rows, order.places, wanted);
}

/** Place by place: of many rows the first ones soon come. Where they do not within so many places, undefined. */
function walkPlaces(
  rows: DocIdSet,
  rowAt: Uint32Array,
  { wanted, isDown, from }: Wanted,
  most: number,
): number[] | undefined {
  const found: number[] = [];
  const step = isDown ? -1 : 1;
  let place = from ?? (isDown ? rowAt.length - 1 : 0);
  for (let walked = 0; found.length < wanted; walked++, place += step) {
    const row = rowAt[place];
    if (row === undefined) break;
    if (walked >= most) return undefined;
    if (contains(rows, row)) found.push(row);
  }
  return found;
}

/** Looks at the places of all rows of the set. */
function leastPlaces(rows: DocIdSet, places: Uint32Array, { wanted, isDown, from }: Wanted): number[] {
  const all = toIds(rows);
  const ids = all.subarray(0, lowerBound(all, places.length + 1));
  // The larger a key the later: a heap of the first ones so far has the last of them on top.
  const top = places.length - 1;
  const keyOf = isDown ? (id: number) => top - places[id - 1]! : (id: number) => places[id - 1]!;
  const least = from === undefined ? 0 : isDown ? top - from : from;
  const heap = new Heap(Math.min(wanted, ids.length));
  for (const id of ids) {
    const key = keyOf(id);
    if (key >= least && (heap.size < wanted || key < heap.top)) heap.put(key, id);
  }
  return heap.sorted();
}

/** The rows with the smallest keys, at most `most` of them. */
class Heap {
  readonly #most: number;
  readonly #keys: Uint32Array;
  readonly #ids: Uint32Array;
  size = 0;

  constructor(most: number) {
    this.#most = most;
    this.#keys = new Uint32Array(most);
    this.#ids = new Uint32Array(most);
  }

  get top(): number {
    return this.#keys[0]!;
  }

  put(key: number, id: number): void {
    if (this.size < this.#most) this.#rise(this.size++, key, id);
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
