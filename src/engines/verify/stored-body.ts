import type { Json } from "../../core/json.js";
import { isBody, type RecordBody } from "../../core/record.js";

/** Returns the body of a stored text, or the reason why it is not a body. */
export function readStoredBody(json: string): RecordBody | string {
  let value: Json;
  try {
    value = JSON.parse(json) as Json;
  } catch (error) {
    return `not JSON: ${(error as Error).message}`;
  }
  return isBody(value) ? value : "JSON, but not a record";
}
