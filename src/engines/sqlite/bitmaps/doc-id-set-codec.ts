import { cardinality, type DocIdSet } from "./doc-id-set.js";

/** A set as it is saved: kind (0 ids, 1 bits), number of rows, then the ids or the bits; u32, little-endian. */
export function packRows(rows: DocIdSet): Buffer {
  const words = rows.kind === "ids" ? rows.ids : rows.bits;
  const packed = new Uint32Array(words.length + 2);
  packed[0] = rows.kind === "ids" ? 0 : 1;
  packed[1] = cardinality(rows);
  packed.set(words, 2);
  return Buffer.from(packed.buffer);
}

/** Returns the set that `packRows` packed, or undefined if the value cannot be one. */
export function unpackRows(packed: unknown): DocIdSet | undefined {
  if (!isWords(packed) || packed.length < 8) return undefined;
  const words = wordsOf(packed);
  const [kind, count] = words as unknown as [number, number];
  const rest = words.subarray(2);
  if (kind === 0) return count === rest.length ? { kind: "ids", ids: rest } : undefined;
  return kind === 1 && count <= rest.length * 32 ? { kind: "bits", bits: rest, count } : undefined;
}

/** Is the value of a column a blob of whole 32-bit numbers? */
export const isWords = (value: unknown): value is Buffer => Buffer.isBuffer(value) && value.length % 4 === 0;

/** The numbers of a blob, in memory of their own: SQLite's is not aligned, and is not ours to keep. */
export function wordsOf(blob: Buffer): Uint32Array {
  const words = new Uint32Array(blob.length / 4);
  Buffer.from(words.buffer).set(blob);
  return words;
}
