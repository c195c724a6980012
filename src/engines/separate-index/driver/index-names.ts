/** Names of the indexes that form one index for the store, and the keys of their documents. */
import { createHash } from "node:crypto";

/** Returns the name of the index of records. */
export const recordsIndexOf = (name: string): string => `${name}-records`;

/** Returns the name of the index of a vocabulary. @param generation see `TermTrees.generationOf` */
export const termsIndexOf = (name: string, vocabulary: string, generation: number): string =>
  `${name}-terms-${vocabulary}${generation === 0 ? "" : `-${generation}`}`;

/** Returns the pattern of everything that belongs to an index. */
export const allPartsOf = (name: string): string => `${name}-*`;

/** Separates the id of a record from its state in the key of a document; no id contains it. */
const STATE_SEPARATOR = "~";

/** Returns the key of the document of a record. */
export const recordKey = ({ id, state }: { readonly id: string; readonly state: string }): string =>
  `${id}${STATE_SEPARATOR}${state}`;

/** Parses the result of `recordKey`. */
export function readRecordKey(key: string): { readonly id: string; readonly state: string } {
  const end = key.lastIndexOf(STATE_SEPARATOR);
  return { id: key.slice(0, end), state: key.slice(end + STATE_SEPARATOR.length) };
}

/** Maximum size of the key of a document, which search engines limit. */
const KEY_BYTES_MAX = 512;

/** Returns the key of the document of a term. Long ids are hashed. */
export function termKey(id: string): string {
  if (Buffer.byteLength(id) <= KEY_BYTES_MAX) return id;
  return `sha256:${createHash("sha256").update(id).digest("hex")}`;
}
