/** Room for sets, and for keys, at first. */
const FIRST_ROOM = 64;

/**
 * Distinct sets of keys, each with a number: what records have at a path repeats, and so a record needs one number.
 * Set 0 is the empty one. Sets are only ever added.
 */
export class OrdinalSets {
  /** Above all numbers of sets. */
  size = 1;
  /** The keys of set n, ascending, stand in `keys` from `starts[n]` to `starts[n + 1]`. */
  starts: Uint32Array = new Uint32Array(FIRST_ROOM);
  keys: Uint32Array = new Uint32Array(FIRST_ROOM);
  /** A hash table of numbers with open addressing, half full at most; 0: free. */
  #slots = new Uint32Array(2 * FIRST_ROOM);

  /** Bytes that they take. */
  get bytes(): number {
    return this.starts.byteLength + this.keys.byteLength + this.#slots.byteLength;
  }

  keysOf(set: number): Uint32Array {
    return this.keys.subarray(this.starts[set]!, this.starts[set + 1]!);
  }

  /** Number of the set of the first `count` keys. @param keys ascending, each once */
  numberOf(keys: ArrayLike<number>, count: number): number {
    if (count === 0) return 0;
    const mask = this.#slots.length - 1;
    for (let slot = hashOf(keys, 0, count) & mask; ; slot = (slot + 1) & mask) {
      const set = this.#slots[slot]!;
      if (set === 0) return this.#add(keys, count, slot);
      if (this.#isSame(set, keys, count)) return set;
    }
  }

  #isSame(set: number, keys: ArrayLike<number>, count: number): boolean {
    const start = this.starts[set]!;
    if (this.starts[set + 1]! - start !== count) return false;
    for (let i = 0; i < count; i++) if (this.keys[start + i] !== keys[i]) return false;
    return true;
  }

  #add(keys: ArrayLike<number>, count: number, slot: number): number {
    const set = this.size++;
    const start = this.starts[set]!;
    if (set + 2 > this.starts.length) this.starts = grown(this.starts, set + 2);
    if (start + count > this.keys.length) this.keys = grown(this.keys, start + count);
    for (let i = 0; i < count; i++) this.keys[start + i] = keys[i]!;
    this.starts[set + 1] = start + count;
    this.#slots[slot] = set;
    if (this.size * 2 > this.#slots.length) this.#spread();
    return set;
  }

  #spread(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (let set = 1; set < this.size; set++) {
      let slot = hashOf(this.keys, this.starts[set]!, this.starts[set + 1]!) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = set;
    }
  }
}

function hashOf(keys: ArrayLike<number>, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ keys[at]!, 0x01000193) ^ (hash >>> 15);
  return Math.imul(hash ^ (hash >>> 13), 0x9e3779b1) >>> 7;
}

function grown(from: Uint32Array, length: number): Uint32Array {
  const to = new Uint32Array(length + (length >>> 1));
  to.set(from);
  return to;
}
