/**
 * The typed values of a record in two blobs, little-endian. `vals`: first the numbers (dates in microseconds), each
 * u16 path, u32 element, f64; then the keys, each u16 path, u32 element with the highest bit set, u32 row in `key`.
 * `texts`: each u16 path, u32 element, u32 bytes, UTF-8 folded for comparison. Values of facets are keys, few and
 * often met; most other texts are met once, and a row in a B-tree for each would cost more than the rest of a deposit.
 */

import type { Bound, Clause } from "../../query/clause.js";

export interface Placed<V> {
  readonly path: number;
  readonly element: number;
  readonly value: V;
}

const NUMBER_BYTES = 14;
const KEY_BYTES = 10;
const TEXT_BYTES = 10;
const KEY_BIT = 0x80000000;

export function packValues(numbers: readonly Placed<number>[], keys: readonly Placed<number>[]): Buffer {
  const packed = Buffer.allocUnsafe(numbers.length * NUMBER_BYTES + keys.length * KEY_BYTES);
  let at = 0;
  for (const { path, element, value } of numbers) {
    at = packed.writeUInt32LE(element, packed.writeUInt16LE(path, at));
    at = packed.writeDoubleLE(value, at);
  }
  for (const { path, element, value } of keys) {
    at = packed.writeUInt32LE((element | KEY_BIT) >>> 0, packed.writeUInt16LE(path, at));
    at = packed.writeUInt32LE(value, at);
  }
  return packed;
}

export function packTexts(texts: readonly Placed<string>[]): Buffer {
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

/** What is asked of a value: is it at one of the paths, and in the range? */
export interface ValueTest {
  readonly paths: ReadonlySet<number>;
  /** Absent: no number fits. */
  readonly number?: (value: number) => boolean;
  /** Gets the folded text as UTF-8, whose byte order is that of code points. Absent: no keyword fits. */
  readonly text?: (folded: Buffer) => boolean;
}

/** The test of a range; its paths are the engine's. */
export function rangeTest({ type, from, to }: Extract<Clause, { kind: "range" }>): Omit<ValueTest, "paths"> {
  return type === "keyword" ? { text: textTest(from, to) } : { number: numberTest(from, to) };
}

function numberTest(from: Bound | undefined, to: Bound | undefined): (value: number) => boolean {
  const low = from === undefined ? Number.NEGATIVE_INFINITY : Number(from.value);
  const high = to === undefined ? Number.POSITIVE_INFINITY : Number(to.value);
  const takesLow = from?.inclusive ?? true;
  const takesHigh = to?.inclusive ?? true;
  return (value) => (takesLow ? value >= low : value > low) && (takesHigh ? value <= high : value < high);
}

function textTest(from: Bound | undefined, to: Bound | undefined): (folded: Buffer) => boolean {
  const low = from && Buffer.from(String(from.value), "utf8");
  const high = to && Buffer.from(String(to.value), "utf8");
  const takesLow = from?.inclusive ? 0 : 1;
  const takesHigh = to?.inclusive ? 0 : -1;
  return (folded) =>
    (low === undefined || folded.compare(low) >= takesLow) && (high === undefined || folded.compare(high) <= takesHigh);
}

/** Does some value fulfil the test? @param foldedKey the folded text of a row of `key` */
export function someValue(vals: Buffer, texts: Buffer, test: ValueTest, foldedKey: (key: number) => Buffer): boolean {
  return findValues(vals, texts, test, foldedKey, () => true);
}

/**
 * Looks for values that fulfil the test until `take` has enough.
 * @param take gets the number of the element that holds the value
 * @returns did it have enough?
 */
export function findValues(
  vals: Buffer,
  texts: Buffer,
  { paths, number, text }: ValueTest,
  foldedKey: (key: number) => Buffer,
  take: (element: number) => boolean,
): boolean {
  const isTaken = (values: Buffer, at: number): boolean => take((values.readUInt32LE(at + 2) & ~KEY_BIT) >>> 0);
  let at = 0;
  // The highest bit of a key's element is that of the sixth byte.
  for (; at < vals.length && vals[at + 5]! < 0x80; at += NUMBER_BYTES) {
    if (number === undefined || !paths.has(pathAt(vals, at)) || !number(vals.readDoubleLE(at + 6))) continue;
    if (isTaken(vals, at)) return true;
  }
  if (text === undefined) return false;
  for (; at < vals.length; at += KEY_BYTES) {
    if (!paths.has(pathAt(vals, at)) || !text(foldedKey(vals.readUInt32LE(at + 6)))) continue;
    if (isTaken(vals, at)) return true;
  }
  for (at = 0; at < texts.length; ) {
    const start = at + TEXT_BYTES;
    const end = start + texts.readUInt32LE(at + 6);
    if (paths.has(pathAt(texts, at)) && text(texts.subarray(start, end)) && isTaken(texts, at)) return true;
    at = end;
  }
  return false;
}

const pathAt = (vals: Buffer, at: number): number => vals[at]! | (vals[at + 1]! << 8);

/** Row ids of `key` (u32) or path ids (u16) one after the other. */
export function packIds(ids: readonly number[], bytes: 2 | 4): Buffer {
  const packed = Buffer.alloc(ids.length * bytes);
  for (const [i, id] of ids.entries()) packed.writeUIntLE(id, i * bytes, bytes);
  return packed;
}
