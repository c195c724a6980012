import type { RecordLeaves } from "../../../query/index-model/leaves.js";
import { type IndexedPath, type RecordDocument, recordDocument } from "../../../query/index-model/record-document.js";
import { joinTokens, keyToken } from "../../../query/index-model/record-tokens.js";
import { packKeys, packNumbers, packTexts } from "./packed-values.js";

/** All that the index holds of one record. */
export interface RecordRows {
  /** The columns of `leaf`. */
  readonly paths: string;
  readonly title: string;
  readonly heavy: string;
  readonly rest: string;
  /** The rows of `elem`: element 1 first. */
  readonly elements: readonly string[];
  /** See packed-values.ts. */
  readonly vals: Buffer;
  readonly texts: Buffer;
}

/**
 * The rows of some leaves of a record, but for the keys of facets, whose rows of `key` only a transaction gives. Plain
 * data, which passes between threads.
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
 * The rows of a record from those of its leaves, in the order of these.
 * @param keyId row of `key` for a value at the path with this id, made now where there is none
 */
export function joinParts(parts: readonly RowPart[], keyId: (path: number, value: string) => number): RecordRows {
  const keys = parts.flatMap((part) => part.keys.map((key) => ({ ...key, value: keyId(key.path, key.value) })));
  const keyTokens = [...new Set(keys.map(({ value }) => keyToken(value)))];
  const column = (name: "paths" | "title" | "heavy" | "rest", more: readonly string[] = []): string =>
    joinTokens([...parts.map((part) => part[name]), ...more].filter((text) => text !== ""));
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
