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

export function unpackRows(packed: Buffer): DocIdSet {
  const words = wordsOf(packed);
  const rest = words.subarray(2);
  return words[0] === 0 ? { kind: "ids", ids: rest } : { kind: "bits", bits: rest, count: words[1]! };
}

/** The numbers of a blob, in memory of their own: SQLite's is not aligned, and is not ours to keep. */
export function wordsOf(blob: Buffer): Uint32Array {
  const words = new Uint32Array(blob.length / 4);
  Buffer.from(words.buffer).set(blob);
  return words;
}
