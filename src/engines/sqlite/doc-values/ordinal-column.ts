import { contains, type DocIdRange, type DocIdSet, setOf, setOfBitmap } from "../bitmaps/doc-id-set.js";
import type { CachedView } from "../cache/snapshot-cache.js";
import { type Owners, type OwnerValues, ownersKey, ownerValues } from "./numeric-column.js";
import { OrdinalSets } from "./ordinal-sets.js";

/** Share of all owners below which those that have keys are listed: an array for all would be mostly empty. */
const FEW_SHARE = 32;

/** Sets that may come later, beside one for every other owner: what nobody has any more is never taken away. */
const LATE_MIN = 16_384;

/** What an entry of a Map of numbers takes in memory. */
const FEW_BYTES = 48;

/** Keys of the owners: one number for the whole set that an owner has. Changes in place. */
export class OrdinalColumn {
  /** Tells the numbers of its sets from those of a column that was made anew. */
  readonly identity = Symbol("column");
  readonly sets = new OrdinalSets();
  /** The set of each owner: as narrow as the numbers allow, and of whole words of 32 owners. */
  #of: Uint8Array | Uint16Array | Uint32Array = new Uint8Array(0);
  /** The sets of the owners, where few have one. */
  #few: Map<number, number> | undefined;
  /** Above all owners. */
  #end = 0;
  #firstSets = 0;
  #keys = new Uint32Array(16);

  constructor(values: OwnerValues) {
    const end = values.owners.reduce((max, owner) => Math.max(max, owner + 1), 0);
    if (values.owners.length * FEW_SHARE < end) this.#few = new Map();
    else this.#of = new Uint8Array(wholeWords(end));
    this.add(values);
  }

  /** Keys that owners have besides, while the column is made. */
  add(values: OwnerValues): void {
    this.#add(values);
    this.#firstSets = this.sets.size;
  }

  /** Bytes that it takes. */
  get bytes(): number {
    return this.#of.byteLength + (this.#few?.size ?? 0) * FEW_BYTES + this.sets.bytes;
  }

  setOf(owner: number): number {
    return this.#few === undefined ? (this.#of[owner] ?? 0) : (this.#few.get(owner) ?? 0);
  }

  /** The owners in the ranges have these keys now. @returns false where all should be read anew */
  change(ranges: readonly DocIdRange[], values: OwnerValues): boolean {
    for (const { first, last } of ranges) {
      if (this.#few === undefined) this.#of.fill(0, first, last + 1);
      else for (let owner = first; owner <= last; owner++) this.#few.delete(owner);
    }
    this.#add(values);
    return this.sets.size - this.#firstSets <= this.#end / 2 + LATE_MIN;
  }

  /** How many of the rows have each set, by its number. */
  countSets(rows: DocIdSet): Uint32Array {
    const counts = new Uint32Array(this.sets.size);
    const of = this.#of;
    if (this.#few !== undefined) {
      for (const [owner, set] of this.#few) if (contains(rows, owner)) counts[set]! += 1;
    } else if (rows.kind === "ids") {
      for (const id of rows.ids) if (id < of.length) counts[of[id]!]! += 1;
    } else {
      const words = Math.min(rows.bits.length, of.length / 32);
      for (let w = 0; w < words; w++) {
        for (let word = rows.bits[w]! | 0; word !== 0; word &= word - 1) {
          counts[of[(w << 5) + 31 - Math.clz32(word & -word)]!]! += 1;
        }
      }
    }
    return counts;
  }

  /** Who has one of the sets. @param isWanted 1 for each set that counts */
  ownersOf(isWanted: Uint8Array): DocIdSet {
    if (this.#few !== undefined) {
      return setOf([...this.#few].flatMap(([owner, set]) => (isWanted[set] === 1 ? [owner] : [])));
    }
    const of = this.#of;
    const bits = new Uint32Array(of.length / 32);
    for (let w = 0, owner = 0; w < bits.length; w++) {
      let word = 0;
      for (let bit = 0; bit < 32; bit++, owner++) word |= isWanted[of[owner]!]! << bit;
      bits[w] = word;
    }
    return setOfBitmap(bits);
  }

  #add({ owners, values }: OwnerValues): void {
    for (let at = 0; at < owners.length; ) {
      const owner = owners[at]!;
      let count = this.#take(this.sets.keysOf(this.setOf(owner)));
      for (; owners[at] === owner && at < owners.length; at++) count = this.#insert(values[at]!, count);
      this.#put(owner, this.sets.numberOf(this.#keys, count));
    }
  }

  /** The keys of a set are those that others are put between. @returns how many they are */
  #take(keys: Uint32Array): number {
    this.#makeRoom(keys.length);
    this.#keys.set(keys);
    return keys.length;
  }

  /** Puts a key in its place among the first `count`. @returns how many they are then */
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
    if (this.#few !== undefined) {
      this.#few.set(owner, set);
      if (this.#few.size * FEW_SHARE > 2 * this.#end) this.#unfold(this.#few);
      return;
    }
    if (owner >= this.#of.length) this.#of = copied(this.#of, wholeWords(owner + 1 + (owner >>> 3)), this.sets.size);
    if (set >= 256 ** this.#of.BYTES_PER_ELEMENT) this.#of = copied(this.#of, this.#of.length, set);
    this.#of[owner] = set;
  }

  /** No longer few. */
  #unfold(few: ReadonlyMap<number, number>): void {
    this.#few = undefined;
    this.#of = copied(new Uint8Array(0), wholeWords(this.#end), this.sets.size);
    for (const [owner, set] of few) this.#of[owner] = set;
  }
}

const wholeWords = (end: number): number => Math.ceil(end / 32) * 32;

/** @param largest number that it must hold */
function copied(from: ArrayLike<number>, length: number, largest: number): Uint8Array | Uint16Array | Uint32Array {
  const Narrowest = largest < 256 ? Uint8Array : largest < 65_536 ? Uint16Array : Uint32Array;
  const to = new Narrowest(length);
  to.set(from);
  return to;
}

export function ordinalColumn(path: number, owners: Owners): CachedView<OrdinalColumn> {
  return {
    key: `keys ${ownersKey(owners)} ${path}`,
    scan: { kind: "keys", path },
    make: (answer) => new OrdinalColumn(ownerValues(answer, owners)),
    // Of elements nothing is taken away: the ordinals of what changed have died.
    patch: (column, ranges, found) =>
      column.change(owners === "records" ? ranges : [], ownerValues(found, owners)) ? column : undefined,
    bytesOf: (column) => column.bytes,
  };
}

/** Who has a key that counts. */
export function ownersOfKeys(column: OrdinalColumn, counts: (key: number) => boolean): DocIdSet {
  const { size, starts, keys } = column.sets;
  const isWanted = new Uint8Array(size);
  for (let set = 1; set < size; set++) {
    for (let at = starts[set]!; at < starts[set + 1]!; at++) if (counts(keys[at]!)) isWanted[set] = 1;
  }
  return column.ownersOf(isWanted);
}
