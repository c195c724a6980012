import type { RecordLeaves } from "../../../query/index-model/leaves.js";
import {
  type IndexedPath,
  joinTokens,
  keyToken,
  type RecordDocument,
  recordDocument,
} from "../../../query/index-model/record-document.js";
import { packKeys, packNumbers, packTexts } from "./packed-values.js";

/** Content of the index for one record. */
export interface RecordRows {
  /** The columns of `leaf`. */
  readonly paths: string;
  readonly title: string;
  readonly heavy: string;
  readonly rest: string;
  /** The rows of `elem`, element 1 first. */
  readonly elements: readonly string[];
  /** See packed-values.ts. */
  readonly vals: Buffer;
  readonly texts: Buffer;
}

/**
 * The rows of some leaves of a record without the keys of facets, whose rows of `key` only a transaction can assign. It
 * is plain data, which can be posted to another thread.
 */
export interface RowPart extends Omit<RecordDocument, "numbers" | "texts"> {
  /** Packed, see packed-values.ts. */
  readonly numbers: Uint8Array;
  readonly texts: Uint8Array;
}

/** Makes the rows of some leaves. */
export function rowPart(leaves: RecordLeaves, pathAt: (path: string) => IndexedPath): RowPart {
  const document = recordDocument(leaves, pathAt);
  return { ...document, numbers: packNumbers(document.numbers), texts: packTexts(document.texts) };
}

/**
 * Joins the rows of parts of a record, in their order.
 * @param keyId returns the row of `key` for a value at the path with this id, and adds it if it does not exist
 */
export function joinParts(parts: readonly RowPart[], keyId: (path: number, value: string) => number): RecordRows {
  const keys = parts.flatMap((part) => part.keys.map((key) => ({ ...key, value: keyId(key.path, key.value) })));
  const keyTokens = [...new Set(keys.map(({ value }) => keyToken(value)))];
  const column = (name: "paths" | "title" | "heavy" | "rest", moreTokens: readonly string[] = []): string =>
    joinTokens([...parts.map((part) => part[name]), ...moreTokens].filter((text) => text !== ""));
  return {
    paths: column("paths", keyTokens),
    title: column("title"),
    heavy: column("heavy"),
    rest: column("rest"),
    elements: parts.flatMap(({ elements }) => elements),
    vals: Buffer.concat([...parts.map(({ numbers }) => numbers), packKeys(keys)]),
    texts: Buffer.concat(parts.map(({ texts }) => texts)),
  };
}

/** Bits for the elements of one record in the row ids of elements: `record << 20 | number`. */
export const ELEMENT_BITS = 20;

/** Row ids of elements are above 2^32, where JavaScript has no bit operations, and below 2^53. */
const ROWS_PER_RECORD = 2 ** ELEMENT_BITS;

/** Returns the row id of an element. @param n number of the element; 0 is the record itself, which has no row */
export const elementRow = (record: number, n: number): number => record * ROWS_PER_RECORD + n;

/** Returns the row of the record to which the row id of an element belongs. */
export const owningRecord = (row: number): number => Math.floor(row / ROWS_PER_RECORD);

/** Returns the number of an element in its record, from its row id. */
export const elementNumber = (row: number): number => row % ROWS_PER_RECORD;
