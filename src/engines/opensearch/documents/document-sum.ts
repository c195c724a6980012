import { createHash } from "node:crypto";

/** The field with the digest of a document, because other fields are not all stored and could not be compared. */
export const SUM_FIELD = { sum: { type: "keyword", index: false } } as const;

/** A document as sent, with the digest of its content. */
export interface SummedDocument {
  readonly json: string;
  readonly sum: string;
}

/** Number of characters with 6 bits each: 132 bits. */
const SUM_LENGTH = 22;

/**
 * Adds a digest to a document.
 * @param json text of an object with at least one member
 * @param beside members that the digest does not cover, each followed by a comma
 */
export function addSum(json: string, beside = ""): SummedDocument {
  const sum = createHash("sha256").update(json).digest("base64url").slice(0, SUM_LENGTH);
  return { json: `{"sum":"${sum}",${beside}${json.slice(1)}`, sum };
}
