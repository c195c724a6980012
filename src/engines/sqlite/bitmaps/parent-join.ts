import { hasBit, lowestBit, wordsFor } from "./bit-words.js";
import { type DocIdSet, type MatchSet, makeBitmapSet, makeDocIdSet } from "./doc-id-set.js";

/**
 * Maps ordinals to their owners: the record, or the element of an outer array, that contains them. Owners mostly
 * ascend, so the ordinals of one form a run, and whole words of bits tell which runs contain elements of a set.
 */
export class ParentJoin {
  size = 0;
  #owners: Uint32Array = new Uint32Array(0);
  /** A bit for each ordinal that ends a run, after which another owner or nothing follows. */
  #ends: Uint32Array = new Uint32Array(0);

  get bytes(): number {
    return this.#owners.byteLength + this.#ends.byteLength;
  }

  /** The owner of each ordinal below `size`. */
  get owners(): Uint32Array {
    return this.#owners;
  }

  /** Makes room for more ordinals, with a reserve unless it is the first time. */
  reserve(more: number): void {
    const size = this.size + more;
    if (size <= this.#owners.length) return;
    const room = this.size === 0 ? size : size + (size >>> 3);
    this.#owners = enlarge(this.#owners, room);
    this.#ends = enlarge(this.#ends, wordsFor(room));
  }

  /** Appends an ordinal, for which there must be room. @returns the ordinal */
  append(owner: number): number {
    const ordinal = this.size++;
    const previousOrdinal = ordinal - 1;
    this.#owners[ordinal] = owner;
    this.#ends[ordinal >>> 5]! |= 1 << (ordinal & 31);
    if (ordinal > 0 && this.#owners[previousOrdinal] === owner)
      this.#ends[previousOrdinal >>> 5]! &= ~(1 << (previousOrdinal & 31));
    return ordinal;
  }

  /**
   * Returns the owners of the ordinals that are in the set and alive.
   * @param alive a bit for each ordinal
   * @param end upper bound of owners
   */
  ownersOf(set: MatchSet, alive: Uint32Array, end: number): DocIdSet {
    if (set.rows.kind === "bits") return this.#ownersOfBits(set.rows.bits, set.isComplement, alive, end);
    if (!set.isComplement) return this.#ownersOfIds(set.rows.ids, alive, end);
    const bits = alive.slice(0, wordsFor(this.size));
    for (const id of set.rows.ids) if (id < this.size) bits[id >>> 5]! &= ~(1 << (id & 31));
    return this.#ownersOfBits(bits, false, alive, end);
  }

  #ownersOfIds(ids: Uint32Array, alive: Uint32Array, end: number): DocIdSet {
    const owners = new Uint32Array(ids.length);
    let n = 0;
    for (const id of ids) {
      if (!hasBit(alive, id)) continue;
      const owner = this.#owners[id]!;
      if (owner < end && (n === 0 || owners[n - 1] !== owner)) owners[n++] = owner;
    }
    return makeDocIdSet(owners.subarray(0, n), end);
  }

  /** @param isExcept whether the bits are the complement of the set */
  #ownersOfBits(bits: Uint32Array, isExcept: boolean, alive: Uint32Array, end: number): DocIdSet {
    const [owners, ends] = [this.#owners, this.#ends];
    const ownerBits = new Uint32Array(wordsFor(end));
    const inversion = isExcept ? -1 : 0;
    const size = wordsFor(this.size);
    const wordCount = isExcept ? size : Math.min(size, bits.length);
    // 1 if the run that continues from the previous word contains an element, else 0. It may end in a word without
    // elements of its own.
    let open = 0;
    for (let w = 0; w < wordCount || (open === 1 && w < size); w++) {
      const word = ((w < bits.length ? bits[w]! : 0) ^ inversion) & alive[w]!;
      if (word === 0 && open === 0) continue;
      const last = ends[w]! | 0;
      // Added to a run of ones, any bit of the run is carried to the end of the run.
      const inner = ~last;
      const before = word & inner;
      const sum = (before + inner + open) | 0;
      open = (before | (inner & ~sum)) >>> 31;
      for (let ending = (sum | word) & last; ending !== 0; ending &= ending - 1) {
        const owner = owners[(w << 5) + lowestBit(ending)]!;
        if (owner < end) ownerBits[owner >>> 5]! |= 1 << (owner & 31);
      }
    }
    return makeBitmapSet(ownerBits);
  }
}

/** Returns a copy with room for more. */
export function enlarge(from: Uint32Array, length: number): Uint32Array {
  const to = new Uint32Array(length);
  to.set(from);
  return to;
}
