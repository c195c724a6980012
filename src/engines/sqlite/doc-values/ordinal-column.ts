import { containsRow, type DocIdRange, type DocIdSet, makeBitmapSet, makeDocIdSet } from "../bitmaps/doc-id-set.js";
import type { CachedView } from "../cache/snapshot-cache.js";
import { type Owners, type OwnerValues, ownersKey, ownerValues } from "./numeric-column.js";

/** Share of owners with keys below which they are in a map, because an array for all would be mostly empty. */
const FEW_SHARE = 32;

/** Number of sets that may be added later besides one for every other owner: unused sets are never removed. */
const LATE_MIN = 16_384;

/** Bytes of an entry of a Map of numbers. */
const FEW_BYTES = 48;

/** Keys of the owners, with one number for the whole key set of an owner. Changes in place. */
export class OrdinalColumn {
  /** Distinguishes the numbers of its sets from those of a new column. */
  readonly identity = Symbol("column");
  readonly sets = new OrdinalSets();
  /** The set of each owner, as narrow as the numbers allow, and for whole words of 32 owners. */
  #setOfOwner: Uint8Array | Uint16Array | Uint32Array = new Uint8Array(0);
  /** The sets of owners if few have one. */
  #setByOwner: Map<number, number> | undefined;
  /** Greater than all owners. */
  #end = 0;
  #firstSets = 0;
  #keys = new Uint32Array(16);

  constructor(values: OwnerValues) {
    const end = values.owners.reduce((max, owner) => Math.max(max, owner + 1), 0);
    if (values.owners.length * FEW_SHARE < end) this.#setByOwner = new Map();
    else this.#setOfOwner = new Uint8Array(wholeWords(end));
    this.add(values);
  }

  /** Adds further keys of owners while the column is built. */
  add(values: OwnerValues): void {
    this.#add(values);
    this.#firstSets = this.sets.size;
  }

  /** Bytes in memory. */
  get bytes(): number {
    return this.#setOfOwner.byteLength + (this.#setByOwner?.size ?? 0) * FEW_BYTES + this.sets.bytes;
  }

  setOf(owner: number): number {
    return this.#setByOwner === undefined ? (this.#setOfOwner[owner] ?? 0) : (this.#setByOwner.get(owner) ?? 0);
  }

  /** Replaces the keys of the owners in the ranges. @returns false if the column should be built again */
  change(ranges: readonly DocIdRange[], values: OwnerValues): boolean {
    for (const { first, last } of ranges) {
      if (this.#setByOwner === undefined) this.#setOfOwner.fill(0, first, last + 1);
      else for (let owner = first; owner <= last; owner++) this.#setByOwner.delete(owner);
    }
    this.#add(values);
    return this.sets.size - this.#firstSets <= this.#end / 2 + LATE_MIN;
  }

  /** Returns for each set the number of rows that have it. */
  countSets(rows: DocIdSet): Uint32Array {
    const counts = new Uint32Array(this.sets.size);
    const setOfOwner = this.#setOfOwner;
    if (this.#setByOwner !== undefined) {
      for (const [owner, set] of this.#setByOwner) if (containsRow(rows, owner)) counts[set]! += 1;
    } else if (rows.kind === "ids") {
      for (const id of rows.ids) if (id < setOfOwner.length) counts[setOfOwner[id]!]! += 1;
    } else {
      const words = Math.min(rows.bits.length, setOfOwner.length / 32);
      for (let w = 0; w < words; w++) {
        for (let word = rows.bits[w]! | 0; word !== 0; word &= word - 1) {
          counts[setOfOwner[(w << 5) + 31 - Math.clz32(word & -word)]!]! += 1;
        }
      }
    }
    return counts;
  }

  /** Returns the owners of one of the sets. @param isWanted 1 for each set that counts */
  ownersOf(isWanted: Uint8Array): DocIdSet {
    if (this.#setByOwner !== undefined) {
      return makeDocIdSet([...this.#setByOwner].flatMap(([owner, set]) => (isWanted[set] === 1 ? [owner] : [])));
    }
    const setOfOwner = this.#setOfOwner;
    const bits = new Uint32Array(setOfOwner.length / 32);
    for (let w = 0, owner = 0; w < bits.length; w++) {
      let word = 0;
      for (let bit = 0; bit < 32; bit++, owner++) word |= isWanted[setOfOwner[owner]!]! << bit;
      bits[w] = word;
    }
    return makeBitmapSet(bits);
  }

  #add({ owners, values }: OwnerValues): void {
    for (let at = 0; at < owners.length; ) {
      const owner = owners[at]!;
      let count = this.#take(this.sets.keysInSet(this.setOf(owner)));
      for (; owners[at] === owner && at < owners.length; at++) count = this.#insert(values[at]!, count);
      this.#put(owner, this.sets.keySetNumber(this.#keys, count));
    }
  }

  /** Copies the keys of a set, to which others are added. @returns their number */
  #take(keys: Uint32Array): number {
    this.#makeRoom(keys.length);
    this.#keys.set(keys);
    return keys.length;
  }

  /** Inserts a key among the first `count` sorted ones. @returns the new number */
  #insert(key: number, count: number): number {
    let at = count;
    while (at > 0 && this.#keys[at - 1]! > key) at--;
    if (at > 0 && this.#keys[at - 1] === key) return count;
    this.#makeRoom(count + 1);
    this.#keys.copyWithin(at + 1, at, count);
    this.#keys[at] = key;
    return count + 1;
  }

  #makeRoom(count: number): void {
    if (count <= this.#keys.length) return;
    const keys = this.#keys;
    this.#keys = new Uint32Array(count * 2);
    this.#keys.set(keys);
  }

  #put(owner: number, set: number): void {
    this.#end = Math.max(this.#end, owner + 1);
    if (this.#setByOwner !== undefined) {
      this.#setByOwner.set(owner, set);
      if (this.#setByOwner.size * FEW_SHARE > 2 * this.#end) this.#unfold(this.#setByOwner);
      return;
    }
    if (owner >= this.#setOfOwner.length)
      this.#setOfOwner = copyNumbers(this.#setOfOwner, wholeWords(owner + 1 + (owner >>> 3)), this.sets.size);
    if (set >= 256 ** this.#setOfOwner.BYTES_PER_ELEMENT)
      this.#setOfOwner = copyNumbers(this.#setOfOwner, this.#setOfOwner.length, set);
    this.#setOfOwner[owner] = set;
  }

  /** Switches from the map to the array, when owners are no longer few. */
  #unfold(setByOwner: ReadonlyMap<number, number>): void {
    this.#setByOwner = undefined;
    this.#setOfOwner = copyNumbers(new Uint8Array(0), wholeWords(this.#end), this.sets.size);
    for (const [owner, set] of setByOwner) this.#setOfOwner[owner] = set;
  }
}

const wholeWords = (end: number): number => Math.ceil(end / 32) * 32;

/** Copies numbers to an array of the narrowest type. @param largest number that it must hold */
function copyNumbers(from: ArrayLike<number>, length: number, largest: number): Uint8Array | Uint16Array | Uint32Array {
  const Narrowest = largest < 256 ? Uint8Array : largest < 65_536 ? Uint16Array : Uint32Array;
  const to = new Narrowest(length);
  to.set(from);
  return to;
}

/** Returns the view of the keys at a path. */
export function ordinalColumn(path: number, owners: Owners): CachedView<OrdinalColumn> {
  return {
    key: `keys ${ownersKey(owners)} ${path}`,
    scan: { kind: "keys", path },
    make: (answer) => new OrdinalColumn(ownerValues(answer, owners)),
    // Nothing is removed for elements: the ordinals of changed ones are deleted.
    patch: (column, ranges, found) =>
      column.change(owners === "records" ? ranges : [], ownerValues(found, owners)) ? column : undefined,
    measureBytes: (column) => column.bytes,
  };
}

/** Returns the owners of a key that counts. */
export function ownersOfKeys(column: OrdinalColumn, counts: (key: number) => boolean): DocIdSet {
  const { size, starts, keys } = column.sets;
  const isWanted = new Uint8Array(size);
  for (let set = 1; set < size; set++) {
    for (let at = starts[set]!; at < starts[set + 1]! && isWanted[set] === 0; at++) {
      if (counts(keys[at]!)) isWanted[set] = 1;
    }
  }
  return column.ownersOf(isWanted);
}

/** Initial room for sets and for keys. */
const FIRST_ROOM = 64;

/**
 * Distinct sets of keys, each with a number: the values of records at a path repeat, so a record needs only one number.
 * Set 0 is empty. Sets are never removed.
 */
class OrdinalSets {
  /** Greater than all numbers of sets. */
  size = 1;
  /** The keys of set n, ascending, are in `keys` from `starts[n]` to `starts[n + 1]`. */
  starts: Uint32Array = new Uint32Array(FIRST_ROOM);
  keys: Uint32Array = new Uint32Array(FIRST_ROOM);
  /** A hash table of set numbers with open addressing, at most half full; 0: free. */
  #slots = new Uint32Array(2 * FIRST_ROOM);

  /** Bytes in memory. */
  get bytes(): number {
    return this.starts.byteLength + this.keys.byteLength + this.#slots.byteLength;
  }

  keysInSet(set: number): Uint32Array {
    return this.keys.subarray(this.starts[set]!, this.starts[set + 1]!);
  }

  /**
   * Returns the number of the set of the first `count` keys, which is added if it is new. @param keys ascending, each
   * once
   */
  keySetNumber(keys: ArrayLike<number>, count: number): number {
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
