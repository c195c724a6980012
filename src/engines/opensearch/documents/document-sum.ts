import { createHash } from "node:crypto";
import type { IndexDocument } from "../../separate-index/driver/index-driver.js";

/** The field with the digest of a document, because other fields are not all stored and could not be compared. */
export const SUM_FIELD = { sum: { type: "keyword", index: false } } as const;

/** Number of characters with 6 bits each: 132 bits. */
const SUM_LENGTH = 22;

/**
 * Adds a digest to a document.
 * @param json text of an object with at least one member
 * @param beside members that the digest does not cover, each followed by a comma
 */
export function addSum(json: string, beside = ""): IndexDocument {
  const sum = createHash("sha256").update(json).digest("base64url").slice(0, SUM_LENGTH);
  return { json: `{"sum":"${sum}",${beside}${json.slice(1)}`, sum };
}
