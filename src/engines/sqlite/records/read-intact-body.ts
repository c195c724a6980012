import type { RecordBody } from "../../../core/record.js";
import { readStoredBody } from "../../verify/stored-body.js";
import { isIntact } from "./checksum.js";

/** The body of a stored text that is what was written, or why it is none. */
export function readIntactBody(json: string, sum: number | null): RecordBody | string {
  const body = readStoredBody(json);
  if (typeof body === "string" || isIntact(json, body.revision_id, sum)) return body;
  return "a text with a wrong checksum";
}
