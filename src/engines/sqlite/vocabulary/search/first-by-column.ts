import { type DocIdSet, lowerBound, toIds } from "../../bitmaps/doc-id-set.js";

/** Which of the rows are wanted, by their places in an order. */
export interface Wanted {
  readonly wanted: number;
  /** From the last place to the first. */
  readonly isDown: boolean;
  /** The first place that counts. */
  readonly from?: number;
  /** No place counts. */
  readonly none?: boolean;
}

/**
 * The first rows of a set in an order, at most as many as wanted.
 * @param ranked rows above have no place
 * @param places by row, from 1
 */
export function firstByColumn(
  rows: DocIdSet,
  ranked: number,
  places: Uint32Array,
  { wanted, isDown, from, none }: Wanted,
): number[] {
  if (none === true) return [];
  const all = toIds(rows);
  const ids = all.subarray(0, lowerBound(all, ranked + 1));
  // The larger a key the later: a heap of the first ones so far has the last of them on top.
  const top = ranked - 1;
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
