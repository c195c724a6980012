import { andBits, andNotBits, type CountedBits, countBits, hasBit, lowestBit, orBits, wordsFor } from "./bit-words.js";

/**
 * Sets of rows: numbers below 2^32. Few are kept as ascending ids, many as one bit each; which of the two is a matter
 * of size only. Nothing here changes its arguments, so that a set may be kept and shared.
 */
export type DocIdSet =
  | { readonly kind: "ids"; readonly ids: Uint32Array }
  | { readonly kind: "bits"; readonly bits: Uint32Array; readonly count: number };

/** Rows from `first` to `last`, both included. */
export interface DocIdRange {
  readonly first: number;
  readonly last: number;
}

export const EMPTY_SET: DocIdSet = { kind: "ids", ids: new Uint32Array(0) };

/** In a set that is much smaller than the other each row is searched for: cheaper than walking both. */
const SEARCH_RATIO = 16;

/** @param ids ascending, each once; kept as they are or as bits, never copied without need */
export function setOfSorted(ids: Uint32Array): DocIdSet {
  const end = (ids.at(-1) ?? 0) + 1;
  // A bit each takes as many bytes as an id for one row in 32.
  if (ids.length * 32 <= end || ids.length < 64) return { kind: "ids", ids };
  const bits = new Uint32Array(wordsFor(end));
  for (const id of ids) bits[id >>> 5]! |= 1 << (id & 31);
  return { kind: "bits", bits, count: ids.length };
}

/** @param ids in any order, with repeats; all of them below `end`, where it is known */
export function setOf(ids: ArrayLike<number>, end = endOf(ids)): DocIdSet {
  if (ids.length * 32 > end && ids.length >= 64) {
    const bits = new Uint32Array(wordsFor(end));
    for (let i = 0; i < ids.length; i++) bits[ids[i]! >>> 5]! |= 1 << (ids[i]! & 31);
    return setOfBitmap(bits);
  }
  const sorted = new Uint32Array(ids);
  if (!isAscending(sorted)) sorted.sort();
  return setOfSorted(withoutRepeats(sorted));
}

function isAscending(ids: Uint32Array): boolean {
  for (let i = 1; i < ids.length; i++) if (ids[i]! < ids[i - 1]!) return false;
  return true;
}

/** @param ids ascending; changed */
function withoutRepeats(ids: Uint32Array): Uint32Array {
  let n = 0;
  for (const id of ids) if (n === 0 || id !== ids[n - 1]) ids[n++] = id;
  return n === ids.length ? ids : ids.slice(0, n);
}

function endOf(ids: ArrayLike<number>): number {
  let end = 0;
  for (let i = 0; i < ids.length; i++) if (ids[i]! >= end) end = ids[i]! + 1;
  return end;
}

export const cardinality = (rows: DocIdSet): number => (rows.kind === "ids" ? rows.ids.length : rows.count);

/** Memory that the set takes. */
export const bytesOfSet = (rows: DocIdSet): number => (rows.kind === "ids" ? rows.ids : rows.bits).byteLength;

export function contains(rows: DocIdSet, id: number): boolean {
  return rows.kind === "ids" ? rows.ids[lowerBound(rows.ids, id)] === id : hasBit(rows.bits, id);
}

/** The set as a bitmap, for whoever asks very often whether it contains a row. */
export function asBitmap(rows: DocIdSet): DocIdSet {
  if (rows.kind === "bits") return rows;
  const bits = new Uint32Array(((rows.ids.at(-1) ?? 0) >>> 5) + 1);
  for (const id of rows.ids) bits[id >>> 5]! |= 1 << (id & 31);
  return { kind: "bits", bits, count: rows.ids.length };
}

/** All rows, ascending. */
export function toIds(rows: DocIdSet): Uint32Array {
  if (rows.kind === "ids") return rows.ids;
  const ids = new Uint32Array(rows.count);
  let n = 0;
  for (let w = 0; w < rows.bits.length; w++) {
    for (let word = rows.bits[w]! | 0; word !== 0; word &= word - 1) ids[n++] = (w << 5) + lowestBit(word);
  }
  return ids;
}

/** The first rows above `above` (-1: from the first), ascending, at most `limit`. */
export function firstIds(rows: DocIdSet, above: number, limit: number): readonly number[] {
  if (rows.kind === "ids") {
    const start = lowerBound(rows.ids, above + 1);
    return Array.from(rows.ids.subarray(start, start + limit));
  }
  const found: number[] = [];
  for (let w = (above + 1) >>> 5; w < rows.bits.length && found.length < limit; w++) {
    for (let word = rows.bits[w]! | 0; word !== 0 && found.length < limit; word &= word - 1) {
      const id = (w << 5) + lowestBit(word);
      if (id > above) found.push(id);
    }
  }
  return found;
}

/** The last rows below `below`, descending, at most `limit`. */
export function lastIds(rows: DocIdSet, below: number, limit: number): readonly number[] {
  if (rows.kind === "ids") {
    const end = lowerBound(rows.ids, below);
    return Array.from(rows.ids.subarray(Math.max(0, end - limit), end)).reverse();
  }
  const found: number[] = [];
  for (let w = Math.min(rows.bits.length - 1, Math.floor(below / 32)); w >= 0 && found.length < limit; w--) {
    for (let word = rows.bits[w]! | 0; word !== 0 && found.length < limit; ) {
      const bit = 31 - Math.clz32(word);
      word &= ~(1 << bit);
      const id = (w << 5) + bit;
      if (id < below) found.push(id);
    }
  }
  return found;
}

/** The rows of which the test says so. */
export function filterSet(rows: DocIdSet, test: (id: number) => boolean): DocIdSet {
  if (rows.kind === "ids") return { kind: "ids", ids: rows.ids.filter(test) };
  const bits = new Uint32Array(rows.bits.length);
  for (let w = 0; w < bits.length; w++) {
    let kept = 0;
    for (let word = rows.bits[w]! | 0; word !== 0; word &= word - 1) {
      const id = (w << 5) + lowestBit(word);
      if (test(id)) kept |= 1 << (id & 31);
    }
    bits[w] = kept;
  }
  return setOfBitmap(bits);
}

export function and(a: DocIdSet, b: DocIdSet): DocIdSet {
  if (a.kind === "bits" && b.kind === "bits") return setOfCounted(andBits(a.bits, b.bits));
  const [few, other] = a.kind === "ids" && (b.kind === "bits" || a.ids.length <= b.ids.length) ? [a, b] : [b, a];
  const { ids } = few as Extract<DocIdSet, { kind: "ids" }>;
  return { kind: "ids", ids: other.kind === "bits" ? idsWithBit(ids, other.bits, true) : commonIds(ids, other.ids) };
}

/** Rows of the first that are not in the second. */
export function andNot(a: DocIdSet, b: DocIdSet): DocIdSet {
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

export function or(a: DocIdSet, b: DocIdSet): DocIdSet {
  if (cardinality(a) === 0) return b;
  if (cardinality(b) === 0) return a;
  if (a.kind === "ids" && b.kind === "ids") return setOfSorted(mergedIds(a.ids, b.ids));
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

/** The set as it is after rows changed: in the ranges only those that are `matching`. */
export function replaceRanges(rows: DocIdSet, ranges: readonly DocIdRange[], found: DocIdSet): DocIdSet {
  return or(removeRanges(rows, ranges), found);
}

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
  return setOfBitmap(bits);
}

/** @param bits not changed any more by anybody */
export const setOfBitmap = (bits: Uint32Array): DocIdSet => setOfCounted({ bits, count: countBits(bits) });

function setOfCounted({ bits, count }: CountedBits): DocIdSet {
  const rows: DocIdSet = { kind: "bits", bits, count };
  // Far fewer than one in 32: the ids take less.
  return count * 2 < bits.length ? { kind: "ids", ids: toIds(rows) } : rows;
}

/** The ids as ranges: neighbours are one. @param ids ascending, repeats allowed */
export function rangesOf(ids: ArrayLike<number>): readonly DocIdRange[] {
  const ranges: { first: number; last: number }[] = [];
  for (let i = 0; i < ids.length; i++) {
    const range = ranges.at(-1);
    if (range !== undefined && ids[i]! <= range.last + 1) range.last = ids[i]!;
    else ranges.push({ first: ids[i]!, last: ids[i]! });
  }
  return ranges;
}

/** Place of the first id that is not below `id`, from place `low` to `high`. */
export function lowerBound(ids: Uint32Array, id: number, low = 0, high = ids.length): number {
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The ids whose bit is so. A loop of its own: `filter` takes seven times as long. */
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
  const isIn = new Uint8Array(ids.length);
  for (const { first, last } of ranges) isIn.fill(1, lowerBound(ids, first), lowerBound(ids, last + 1));
  return ids.filter((_, i) => isIn[i] === 0);
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
