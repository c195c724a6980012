import { andBits, andNotBits, type CountedBits, countBits, hasBit, lowestBit, orBits, wordsFor } from "./bit-words.js";

/**
 * Sets of rows, which are numbers below 2^32. Few are stored as ascending ids, many with one bit each, depending only
 * on size. Functions do not change their arguments, so that sets can be cached and shared.
 */
export type DocIdSet =
  | { readonly kind: "ids"; readonly ids: Uint32Array }
  | { readonly kind: "bits"; readonly bits: Uint32Array; readonly count: number };

/** Rows from `first` to `last`, both included. */
export interface DocIdRange {
  readonly first: number;
  readonly last: number;
}

/** The set without rows. */
export const EMPTY_SET: DocIdSet = { kind: "ids", ids: new Uint32Array(0) };

/** In a set that is much smaller than the other each row is searched for: cheaper than walking both. */
const SEARCH_RATIO = 16;

/**
 * Makes a set of ascending ids.
 * @param ids ascending, each once; kept as they are or as bits, never copied without need
 */
export function makeSortedSet(ids: Uint32Array): DocIdSet {
  const end = (ids.at(-1) ?? 0) + 1;
  // A bit each takes as many bytes as an id for one row in 32.
  if (ids.length * 32 <= end || ids.length < 64) return { kind: "ids", ids };
  const bits = new Uint32Array(wordsFor(end));
  for (const id of ids) bits[id >>> 5]! |= 1 << (id & 31);
  return { kind: "bits", bits, count: ids.length };
}

/** Sorting an id takes as long as reading this many words of a bitmap. */
const WORDS_PER_SORTED_ID = 16;

/**
 * Makes a set of ids in any order.
 * @param ids in any order, with repeats; all of them below `end`, if it is known
 */
export function makeDocIdSet(ids: ArrayLike<number>, end = idsEnd(ids)): DocIdSet {
  if (ids.length * WORDS_PER_SORTED_ID > wordsFor(end) && ids.length >= 64) {
    const bits = new Uint32Array(wordsFor(end));
    for (let i = 0; i < ids.length; i++) bits[ids[i]! >>> 5]! |= 1 << (ids[i]! & 31);
    return makeBitmapSet(bits);
  }
  const sorted = new Uint32Array(ids);
  if (!isAscending(sorted)) sorted.sort();
  return makeSortedSet(withoutRepeats(sorted));
}

function isAscending(ids: Uint32Array): boolean {
  for (let i = 1; i < ids.length; i++) if (ids[i]! < ids[i - 1]!) return false;
  return true;
}

/** Removes repeated ids in place. @param ids ascending */
function withoutRepeats(ids: Uint32Array): Uint32Array {
  let n = 0;
  for (const id of ids) if (n === 0 || id !== ids[n - 1]) ids[n++] = id;
  return n === ids.length ? ids : ids.slice(0, n);
}

function idsEnd(ids: ArrayLike<number>): number {
  let end = 0;
  for (let i = 0; i < ids.length; i++) if (ids[i]! >= end) end = ids[i]! + 1;
  return end;
}

/** Returns the number of rows in a set. */
export const cardinality = (rows: DocIdSet): number => (rows.kind === "ids" ? rows.ids.length : rows.count);

/** Returns the memory of the set in bytes. */
export const bytesOfSet = (rows: DocIdSet): number => (rows.kind === "ids" ? rows.ids : rows.bits).byteLength;

/** Returns whether a row is in a set. */
export function containsRow(rows: DocIdSet, id: number): boolean {
  return rows.kind === "ids" ? rows.ids[lowerBound(rows.ids, id)] === id : hasBit(rows.bits, id);
}

/** Returns the set as a bitmap, for many calls of `containsRow`. */
export function asBitmap(rows: DocIdSet): DocIdSet {
  if (rows.kind === "bits") return rows;
  const bits = new Uint32Array(((rows.ids.at(-1) ?? 0) >>> 5) + 1);
  for (const id of rows.ids) bits[id >>> 5]! |= 1 << (id & 31);
  return { kind: "bits", bits, count: rows.ids.length };
}

/** Returns all rows, ascending. */
export function toIds(rows: DocIdSet): Uint32Array {
  if (rows.kind === "ids") return rows.ids;
  const ids = new Uint32Array(rows.count);
  let n = 0;
  for (let w = 0; w < rows.bits.length; w++) {
    for (let word = rows.bits[w]! | 0; word !== 0; word &= word - 1) ids[n++] = (w << 5) + lowestBit(word);
  }
  return ids;
}

/** Returns the first rows greater than `above` (-1: from the first), ascending, at most `limit`. */
export function firstIds(rows: DocIdSet, above: number, limit: number): readonly number[] {
  if (rows.kind === "ids") {
    const start = lowerBound(rows.ids, above + 1);
    return Array.from(rows.ids.subarray(start, start + limit));
  }
  const foundIds: number[] = [];
  for (let w = (above + 1) >>> 5; w < rows.bits.length && foundIds.length < limit; w++) {
    for (let word = rows.bits[w]! | 0; word !== 0 && foundIds.length < limit; word &= word - 1) {
      const id = (w << 5) + lowestBit(word);
      if (id > above) foundIds.push(id);
    }
  }
  return foundIds;
}

/** Returns the last rows less than `below`, descending, at most `limit`. */
export function lastIds(rows: DocIdSet, below: number, limit: number): readonly number[] {
  if (rows.kind === "ids") {
    const end = lowerBound(rows.ids, below);
    return Array.from(rows.ids.subarray(Math.max(0, end - limit), end)).reverse();
  }
  const foundIds: number[] = [];
  for (let w = Math.min(rows.bits.length - 1, Math.floor(below / 32)); w >= 0 && foundIds.length < limit; w--) {
    for (let word = rows.bits[w]! | 0; word !== 0 && foundIds.length < limit; ) {
      const bit = 31 - Math.clz32(word);
      word &= ~(1 << bit);
      const id = (w << 5) + bit;
      if (id < below) foundIds.push(id);
    }
  }
  return foundIds;
}

/** Returns the rows that pass the test. */
export function filterSet(rows: DocIdSet, test: (id: number) => boolean): DocIdSet {
  if (rows.kind === "ids") return { kind: "ids", ids: rows.ids.filter(test) };
  const bits = new Uint32Array(rows.bits.length);
  for (let w = 0; w < bits.length; w++) {
    let keptBits = 0;
    for (let word = rows.bits[w]! | 0; word !== 0; word &= word - 1) {
      const id = (w << 5) + lowestBit(word);
      if (test(id)) keptBits |= 1 << (id & 31);
    }
    bits[w] = keptBits;
  }
  return makeBitmapSet(bits);
}

/** Returns the rows that are in both sets. */
export function intersectSets(a: DocIdSet, b: DocIdSet): DocIdSet {
  if (a.kind === "bits" && b.kind === "bits") return setOfCounted(andBits(a.bits, b.bits));
  const [few, other] = a.kind === "ids" && (b.kind === "bits" || a.ids.length <= b.ids.length) ? [a, b] : [b, a];
  const { ids } = few as Extract<DocIdSet, { kind: "ids" }>;
  return { kind: "ids", ids: other.kind === "bits" ? idsWithBit(ids, other.bits, true) : commonIds(ids, other.ids) };
}

/** Returns the rows of the first set that are not in the second. */
export function subtractSet(a: DocIdSet, b: DocIdSet): DocIdSet {
  if (cardinality(a) === 0 || cardinality(b) === 0) return a;
  if (a.kind === "ids") {
    return { kind: "ids", ids: b.kind === "bits" ? idsWithBit(a.ids, b.bits, false) : otherIds(a.ids, b.ids) };
  }
  if (b.kind === "bits") return setOfCounted(andNotBits(a.bits, b.bits));
  const bits = a.bits.slice();
  let { count } = a;
  for (const id of b.ids) {
    if (!hasBit(bits, id)) continue;
    bits[id >>> 5]! &= ~(1 << (id & 31));
    count -= 1;
  }
  return setOfCounted({ bits, count });
}

/** Returns the rows that are in either set. */
export function uniteSets(a: DocIdSet, b: DocIdSet): DocIdSet {
  if (cardinality(a) === 0) return b;
  if (cardinality(b) === 0) return a;
  if (a.kind === "ids" && b.kind === "ids") return makeSortedSet(mergedIds(a.ids, b.ids));
  if (a.kind === "bits" && b.kind === "bits") return setOfCounted(orBits(a.bits, b.bits));
  const [many, few] = (a.kind === "bits" ? [a, b] : [b, a]) as [
    Extract<DocIdSet, { kind: "bits" }>,
    Extract<DocIdSet, { kind: "ids" }>,
  ];
  const bits = new Uint32Array(Math.max(many.bits.length, wordsFor(few.ids.at(-1)! + 1)));
  bits.set(many.bits);
  let { count } = many;
  for (const id of few.ids) {
    if (hasBit(bits, id)) continue;
    bits[id >>> 5]! |= 1 << (id & 31);
    count += 1;
  }
  return setOfCounted({ bits, count });
}

/** Replaces the rows in the ranges by those of `replacement`. */
export function replaceRanges(rows: DocIdSet, ranges: readonly DocIdRange[], replacement: DocIdSet): DocIdSet {
  return uniteSets(removeRanges(rows, ranges), replacement);
}

/** Removes the rows in the ranges. */
export function removeRanges(rows: DocIdSet, ranges: readonly DocIdRange[]): DocIdSet {
  if (ranges.length === 0) return rows;
  if (rows.kind === "ids") {
    return { kind: "ids", ids: idsOutside(rows.ids, ranges) };
  }
  const bits = rows.bits.slice();
  for (const { first, last } of ranges) {
    const end = Math.min(last, bits.length * 32 - 1);
    for (let id = first; id <= end; ) {
      if ((id & 31) === 0 && id + 31 <= end) {
        bits[id >>> 5] = 0;
        id += 32;
      } else {
        bits[id >>> 5]! &= ~(1 << (id & 31));
        id += 1;
      }
    }
  }
  return makeBitmapSet(bits);
}

/** Makes a set of a bitmap. @param bits must not change any more */
export const makeBitmapSet = (bits: Uint32Array): DocIdSet => setOfCounted({ bits, count: countBits(bits) });

function setOfCounted({ bits, count }: CountedBits): DocIdSet {
  const rows: DocIdSet = { kind: "bits", bits, count };
  // With far fewer than one row per 32, ids take less memory.
  return count * 2 < bits.length ? { kind: "ids", ids: toIds(rows) } : rows;
}

/** Returns the ids as ranges of neighbours. @param ids ascending, repeats allowed */
export function contiguousRanges(ids: ArrayLike<number>): readonly DocIdRange[] {
  const ranges: { first: number; last: number }[] = [];
  for (let i = 0; i < ids.length; i++) {
    const range = ranges.at(-1);
    if (range !== undefined && ids[i]! <= range.last + 1) range.last = ids[i]!;
    else ranges.push({ first: ids[i]!, last: ids[i]! });
  }
  return ranges;
}

/** Returns the place of the first id that is at least `id`, from place `low` to `high`. */
export function lowerBound(ids: Uint32Array, id: number, low = 0, high = ids.length): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the ids whose bit has the given state. A loop of its own, because `filter` takes seven times as long. */
function idsWithBit(ids: Uint32Array, bits: Uint32Array, isSet: boolean): Uint32Array {
  const out = new Uint32Array(ids.length);
  let n = 0;
  for (let i = 0; i < ids.length; i++) {
    const id = ids[i]!;
    if (hasBit(bits, id) === isSet) out[n++] = id;
  }
  return out.slice(0, n);
}

function idsOutside(ids: Uint32Array, ranges: readonly DocIdRange[]): Uint32Array {
  const isInRange = new Uint8Array(ids.length);
  for (const { first, last } of ranges) isInRange.fill(1, lowerBound(ids, first), lowerBound(ids, last + 1));
  return ids.filter((_, i) => isInRange[i] === 0);
}

function commonIds(few: Uint32Array, many: Uint32Array): Uint32Array {
  if (few.length * SEARCH_RATIO < many.length) return few.filter((id) => many[lowerBound(many, id)] === id);
  const out = new Uint32Array(few.length);
  let n = 0;
  for (let i = 0, j = 0; i < few.length && j < many.length; ) {
    const x = few[i]!;
    const y = many[j]!;
    if (x === y) out[n++] = x;
    if (x <= y) i += 1;
    if (y <= x) j += 1;
  }
  return out.subarray(0, n);
}

function otherIds(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (a.length * SEARCH_RATIO < b.length) return a.filter((id) => b[lowerBound(b, id)] !== id);
  const out = new Uint32Array(a.length);
  let n = 0;
  let j = 0;
  for (const id of a) {
    while (j < b.length && b[j]! < id) j += 1;
    if (b[j] !== id) out[n++] = id;
  }
  return out.subarray(0, n);
}

function mergedIds(a: Uint32Array, b: Uint32Array): Uint32Array {
  const out = new Uint32Array(a.length + b.length);
  let n = 0;
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const x = a[i]!;
    const y = b[j]!;
    out[n++] = x < y ? x : y;
    if (x <= y) i += 1;
    if (y <= x) j += 1;
  }
  while (i < a.length) out[n++] = a[i++]!;
  while (j < b.length) out[n++] = b[j++]!;
  return out.subarray(0, n);
}

/** Concatenates the ids of several reads. */
export function joinIds(parts: readonly (readonly number[])[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Packs a set for storage: kind (0 ids, 1 bits), number of rows, then the ids or the bits; u32, little-endian. */
export function packRows(rows: DocIdSet): Buffer {
  const words = rows.kind === "ids" ? rows.ids : rows.bits;
  const packed = new Uint32Array(words.length + 2);
  packed[0] = rows.kind === "ids" ? 0 : 1;
  packed[1] = cardinality(rows);
  packed.set(words, 2);
  return Buffer.from(packed.buffer);
}

/** Returns the set that `packRows` packed, undefined if the value is invalid. */
export function unpackRows(packed: unknown): DocIdSet | undefined {
  if (!isWords(packed) || packed.length < 8) return undefined;
  const words = copyNumbers(packed);
  const [kind, count] = words as unknown as [number, number];
  const rest = words.subarray(2);
  if (kind === 0) return count === rest.length ? { kind: "ids", ids: rest } : undefined;
  return kind === 1 && count <= rest.length * 32 ? { kind: "bits", bits: rest, count } : undefined;
}

/** Returns whether the value of a column is a blob of whole 32-bit numbers. */
export const isWords = (value: unknown): value is Buffer => Buffer.isBuffer(value) && value.length % 4 === 0;

/** Copies the numbers of a blob: SQLite's memory is not aligned and is reused. */
export function copyNumbers(blob: Buffer): Uint32Array {
  const words = new Uint32Array(blob.length / 4);
  Buffer.from(words.buffer).set(blob);
  return words;
}

/** The result of a clause: a set of rows, or its complement. All cached and scanned sets are of this type. */
export interface MatchSet {
  readonly rows: DocIdSet;
  readonly isComplement: boolean;
}

/** The result of a clause that no row matches. */
export const MATCH_NONE: MatchSet = { rows: EMPTY_SET, isComplement: false };
/** The result of a clause that all rows match. */
export const MATCH_ALL: MatchSet = { rows: EMPTY_SET, isComplement: true };

/** Makes the result of a clause that exactly these rows match. */
export const matchExactly = (rows: DocIdSet): MatchSet => ({ rows, isComplement: false });

/** Returns the result of the negated clause. */
export const negateMatch = ({ rows, isComplement }: MatchSet): MatchSet => ({ rows, isComplement: !isComplement });

/** Returns the rows that match both clauses. */
export function intersectMatches(a: MatchSet, b: MatchSet): MatchSet {
  if (a.isComplement && b.isComplement) return { rows: uniteSets(a.rows, b.rows), isComplement: true };
  if (a.isComplement) return matchExactly(subtractSet(b.rows, a.rows));
  if (b.isComplement) return matchExactly(subtractSet(a.rows, b.rows));
  return matchExactly(intersectSets(a.rows, b.rows));
}

/** Returns the rows that match either clause. */
export function uniteMatches(a: MatchSet, b: MatchSet): MatchSet {
  return negateMatch(intersectMatches(negateMatch(a), negateMatch(b)));
}

/** Returns the matching rows among all existing ones. */
export function matchesAmong(all: DocIdSet, { rows, isComplement }: MatchSet): DocIdSet {
  return isComplement ? subtractSet(all, rows) : intersectSets(all, rows);
}

/** Returns the index of the first of some ascending values that is at least `value`. */
export function lowerBoundOfValue(values: ArrayLike<number>, value: number): number {
  return firstIndex(values, (element) => element >= value);
}

/** Returns the index of the first of some ascending values that is greater than `value`. */
export function upperBoundOfValue(values: ArrayLike<number>, value: number): number {
  return firstIndex(values, (element) => element > value);
}

/**
 * Returns the index of the first value that passes the test. @param isReached false for a first part of the values,
 * true for the rest
 */
function firstIndex(values: ArrayLike<number>, isReached: (value: number) => boolean): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(values[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
