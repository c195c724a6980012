/**
 * The typed values of a record are in two little-endian blobs. `vals`: first the numbers (dates in microseconds), each
 * u16 path, u32 element, f64; then the keys, each u16 path, u32 element with the highest bit set, u32 row in `key`.
 * `texts`: each u16 path, u32 element, u32 bytes, UTF-8 folded for comparison. Values of facets are keys, which are few
 * and repeat; most other texts are unique, and a B-tree row for each would cost more than the rest of a deposit.
 */

import type { Clause } from "../../../query/index-model/clause.js";
import type { PlacedValue } from "../../../query/index-model/record-document.js";

const NUMBER_BYTES = 14;
const KEY_BYTES = 10;
const TEXT_BYTES = 10;
const KEY_BIT = 0x80000000;

/** Packs the numbers, the first part of `vals`. */
export function packNumbers(numbers: readonly PlacedValue<number>[]): Buffer {
  const packed = Buffer.allocUnsafe(numbers.length * NUMBER_BYTES);
  let at = 0;
  for (const { path, element, value } of numbers) {
    at = packed.writeUInt32LE(element, packed.writeUInt16LE(path, at));
    at = packed.writeDoubleLE(value, at);
  }
  return packed;
}

/** Packs the keys, the second part of `vals`. */
export function packKeys(keys: readonly PlacedValue<number>[]): Buffer {
  const packed = Buffer.allocUnsafe(keys.length * KEY_BYTES);
  let at = 0;
  for (const { path, element, value } of keys) {
    at = packed.writeUInt32LE((element | KEY_BIT) >>> 0, packed.writeUInt16LE(path, at));
    at = packed.writeUInt32LE(value, at);
  }
  return packed;
}

/** Packs keywords, the content of `texts`. */
export function packTexts(texts: readonly PlacedValue<string>[]): Buffer {
  const bytes = texts.reduce((sum, { value }) => sum + TEXT_BYTES + Buffer.byteLength(value, "utf8"), 0);
  const packed = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (const { path, element, value } of texts) {
    at = packed.writeUInt32LE(element, packed.writeUInt16LE(path, at));
    const length = packed.write(value, at + 4, "utf8");
    at = packed.writeUInt32LE(length, at) + length;
  }
  return packed;
}

/**
 * Makes a test whether a text is in a range. It gets the folded text as UTF-8, whose byte order is that of code points.
 */
export function keywordTest({ from, to }: Pick<Extract<Clause, { kind: "range" }>, "from" | "to">): TextTest {
  const low = from && Buffer.from(String(from.value), "utf8");
  const high = to && Buffer.from(String(to.value), "utf8");
  const takesLow = from?.inclusive ? 0 : 1;
  const takesHigh = to?.inclusive ? 0 : -1;
  return (folded) =>
    (low === undefined || folded.compare(low) >= takesLow) && (high === undefined || folded.compare(high) <= takesHigh);
}

type TextTest = (folded: Buffer) => boolean;

/** Calls `take` for each number at the path. @throws RangeError if `vals` ends within a value */
export function findNumbers(vals: Buffer, path: number, take: (element: number, value: number) => void): void {
  let at = 0;
  for (; at < vals.length && isNumber(vals, at); at += NUMBER_BYTES) {
    if (pathAt(vals, at) === path) take(vals.readUInt32LE(at + 2), vals.readDoubleLE(at + 6));
  }
  checkKeys(vals, at);
}

/** Receives a value of a record: a number, or a row of `key`. */
export type TakeValue = (path: number, element: number, value: number) => void;

/** Calls one of the two functions for each value at any path. @throws RangeError if `vals` ends within a value */
export function eachValue(vals: Buffer, takeNumber: TakeValue, takeKey: TakeValue): void {
  let at = 0;
  for (; at < vals.length && isNumber(vals, at); at += NUMBER_BYTES) {
    takeNumber(pathAt(vals, at), vals.readUInt32LE(at + 2), vals.readDoubleLE(at + 6));
  }
  for (; at < vals.length; at += KEY_BYTES) takeKey(pathAt(vals, at), elementAt(vals, at), vals.readUInt32LE(at + 6));
}

/** Returns `vals` with another number in place of each number at the path. */
export function replaceNumber(vals: Buffer, path: number, value: number): Buffer {
  const copy = Buffer.from(vals);
  for (let at = 0; at < copy.length && isNumber(copy, at); at += NUMBER_BYTES) {
    if (pathAt(copy, at) === path) copy.writeDoubleLE(value, at + 6);
  }
  return copy;
}

/**
 * Calls `take` for each keyword at one of the paths that passes the test.
 *
 * @param foldedKey returns the text of a row of `key`
 * @throws RangeError if a blob ends within a value
 */
export function findKeywords(
  { vals, texts }: { readonly vals: Buffer; readonly texts: Buffer },
  paths: ReadonlySet<number>,
  test: TextTest,
  foldedKey: (key: number) => Buffer,
  take: (element: number) => void,
): void {
  for (let at = startOfKeys(vals); at < vals.length; at += KEY_BYTES) {
    if (paths.has(pathAt(vals, at)) && test(foldedKey(vals.readUInt32LE(at + 6)))) take(elementAt(vals, at));
  }
  for (let at = 0; at < texts.length; ) {
    const start = at + TEXT_BYTES;
    const end = start + texts.readUInt32LE(at + 6);
    if (end > texts.length) throw endsWithin();
    if (paths.has(pathAt(texts, at)) && test(texts.subarray(start, end))) take(texts.readUInt32LE(at + 2));
    at = end;
  }
}

/**
 * Returns whether two `vals` are equal. A body that is read again has 0 in place of -0.
 *
 * @param a may be of another type in a damaged row
 */
export function sameValues(a: unknown, b: Buffer): boolean {
  if (!Buffer.isBuffer(a)) return false;
  return a.equals(b) || withoutSignsOfZero(a).equals(withoutSignsOfZero(b));
}

function withoutSignsOfZero(vals: Buffer): Buffer {
  const copy = Buffer.from(vals);
  for (let at = 0; at + NUMBER_BYTES <= copy.length && isNumber(copy, at); at += NUMBER_BYTES) {
    copy.writeDoubleLE(copy.readDoubleLE(at + 6) + 0, at + 6);
  }
  return copy;
}

/** The highest bit of a key's element is that of the sixth byte. */
const isNumber = (vals: Buffer, at: number): boolean => vals[at + 5]! < 0x80;

function startOfKeys(vals: Buffer): number {
  let at = 0;
  while (at < vals.length && isNumber(vals, at)) at += NUMBER_BYTES;
  checkKeys(vals, at);
  return at;
}

/** Checks that whole keys follow. @throws RangeError if not */
function checkKeys(vals: Buffer, at: number): void {
  if (at > vals.length || (vals.length - at) % KEY_BYTES !== 0) throw endsWithin();
}

const endsWithin = (): RangeError => new RangeError("The packed values end within a value.");

const elementAt = (vals: Buffer, at: number): number => (vals.readUInt32LE(at + 2) & ~KEY_BIT) >>> 0;

const pathAt = (vals: Buffer, at: number): number => vals[at]! | (vals[at + 1]! << 8);
