import { hasBit, lowestBit, wordsFor } from "./bit-words.js";
import { type DocIdSet, setOf, setOfBitmap } from "./doc-id-set.js";
import type { MatchSet } from "./match-set.js";

/**
 * Whose each of some ordinals is: the record, or the element of an outer array, that it lies in. It is said once for
 * each. Owners mostly ascend, so that the ordinals of one come in a run, and whole words of bits tell which runs have
 * any of a set.
 */
export class ParentJoin {
  size = 0;
  #owners: Uint32Array = new Uint32Array(0);
  /** A bit for each ordinal that ends a run: another owner follows it, or nothing. */
  #ends: Uint32Array = new Uint32Array(0);

  get bytes(): number {
    return this.#owners.byteLength + this.#ends.byteLength;
  }

  /** The owner of each ordinal below `size`. */
  get owners(): Uint32Array {
    return this.#owners;
  }

  /** Makes room for so many more, and some besides where that is not the first time. */
  reserve(more: number): void {
    const size = this.size + more;
    if (size <= this.#owners.length) return;
    const room = this.size === 0 ? size : size + (size >>> 3);
    this.#owners = grown(this.#owners, room);
    this.#ends = grown(this.#ends, wordsFor(room));
  }

  /** There is room for it. @returns its ordinal */
  append(owner: number): number {
    const at = this.size++;
    const before = at - 1;
    this.#owners[at] = owner;
    this.#ends[at >>> 5]! |= 1 << (at & 31);
    if (at > 0 && this.#owners[before] === owner) this.#ends[before >>> 5]! &= ~(1 << (before & 31));
    return at;
  }

  /**
   * The owners of all that is in the set and alive.
   * @param alive a bit for each ordinal
   * @param end what is not below it is no owner
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
    return setOf(owners.subarray(0, n), end);
  }

  /** @param isExcept are the bits those of what is not in the set? */
  #ownersOfBits(bits: Uint32Array, isExcept: boolean, alive: Uint32Array, end: number): DocIdSet {
    const [owners, ends] = [this.#owners, this.#ends];
    const found = new Uint32Array(wordsFor(end));
    const turned = isExcept ? -1 : 0;
    const size = wordsFor(this.size);
    const holding = isExcept ? size : Math.min(size, bits.length);
    // Has the run that goes on from the word before any? 1 or 0. It may end in a word that has none of its own.
    let open = 0;
    for (let w = 0; w < holding || (open === 1 && w < size); w++) {
      const word = ((w < bits.length ? bits[w]! : 0) ^ turned) & alive[w]!;
      if (word === 0 && open === 0) continue;
      const last = ends[w]! | 0;
      // Added to a run of ones, any bit of the run is carried to where the run ends.
      const inner = ~last;
      const before = word & inner;
      const sum = (before + inner + open) | 0;
      open = (before | (inner & ~sum)) >>> 31;
      for (let ending = (sum | word) & last; ending !== 0; ending &= ending - 1) {
        const owner = owners[(w << 5) + lowestBit(ending)]!;
        if (owner < end) found[owner >>> 5]! |= 1 << (owner & 31);
      }
    }
    return setOfBitmap(found);
  }
}

/** The same, with room for more. */
export function grown(from: Uint32Array, length: number): Uint32Array {
  const to = new Uint32Array(length);
  to.set(from);
  return to;
}
