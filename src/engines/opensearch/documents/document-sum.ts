import { createHash } from "node:crypto";

/** The field that has the sum of a document: what is not kept elsewhere cannot be compared otherwise. */
export const SUM_FIELD = { sum: { type: "keyword", index: false } } as const;

/** A document as it is sent, with the sum of all that it says. */
export interface SummedDocument {
  readonly json: string;
  readonly sum: string;
}

/** So many characters of 6 bits: 132 bits. */
const LENGTH = 22;

/**
 * @param json text of an object with at least one member
 * @param beside what the document says beside that, and its sum does not: members, each with a comma behind it
 */
export function summed(json: string, beside = ""): SummedDocument {
  const sum = createHash("sha256").update(json).digest("base64url").slice(0, LENGTH);
  return { json: `{"sum":"${sum}",${beside}${json.slice(1)}`, sum };
}
