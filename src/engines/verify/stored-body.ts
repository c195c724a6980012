import { isObject, type Json } from "../../core/json.js";
import type { RecordBody } from "../../core/record.js";

/** The body of a stored text, or why it is none. */
export function readStoredBody(json: string): RecordBody | string {
  let value: Json;
  try {
    value = JSON.parse(json) as Json;
  } catch (error) {
    return `not JSON: ${(error as Error).message}`;
  }
  return isBody(value) ? (value as unknown as RecordBody) : "JSON, but not a record";
}

function isBody(value: Json): boolean {
  if (!isObject(value)) return false;
  const { parent, versions, metadata } = value;
  const texts = [value.id, value.model, value.created, value.updated];
  if (!texts.every((text) => typeof text === "string")) return false;
  if (!Number.isInteger(value.revision_id) || (value.state !== "draft" && value.state !== "published")) return false;
  if (!isObject(parent) || typeof parent.id !== "string" || !isObject(parent.owner)) return false;
  if (typeof parent.owner.user !== "string" || !isObject(metadata)) return false;
  return isObject(versions) && Number.isInteger(versions.index) && typeof versions.is_latest === "boolean";
}
