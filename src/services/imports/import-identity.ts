import { createHash } from "node:crypto";
import { isBlank } from "../../core/blank.js";
import { canonicalJson } from "../../core/canonical-json.js";
import type { Model } from "../../core/catalog/types.js";
import { isObject, type Json, type JsonObject, own } from "../../core/json.js";
import { parseRecordId } from "../../core/record-id.js";
import type { Identity } from "../api/import-services.js";

/** Reads who a document is: by its own id, by the key that the model declares, else by what it says. */
export function identityOf(model: Model, document: Json, metadata: JsonObject): Identity | { readonly reason: string } {
  const digest = createHash("sha256").update(canonicalJson(metadata)).digest("hex");
  const body = isObject(document) && Object.hasOwn(document, "metadata") ? document : {};
  const sent = own(body, "id") ?? undefined;
  if (sent === undefined) return { key: externalKey(model, metadata) ?? `digest:${digest}`, digest };
  const id = typeof sent === "string" ? parseRecordId(sent) : undefined;
  if (id === undefined)
    return { reason: `${JSON.stringify(sent)} is not an id of a record; leave it out to get a new one` };
  const parent = own(body, "parent");
  const sentParent = isObject(parent) ? (own(parent, "id") ?? undefined) : undefined;
  const parentId = typeof sentParent === "string" ? parseRecordId(sentParent) : undefined;
  if (sentParent !== undefined && (parentId === undefined || parentId === id)) {
    return { reason: `parent.id: ${JSON.stringify(sentParent)} cannot be the id of its versions` };
  }
  const versions = own(body, "versions");
  const index = isObject(versions) ? (own(versions, "index") ?? undefined) : undefined;
  if (index !== undefined && !(Number.isSafeInteger(index) && Number(index) > 0)) {
    return { reason: `versions.index: ${JSON.stringify(index)} is not a whole number from 1` };
  }
  return {
    key: `id:${id}`,
    digest,
    id,
    ...(parentId === undefined ? {} : { parent: parentId }),
    ...(index === undefined ? {} : { version: Number(index) }),
  };
}

/** The text at the path that the model declares, where there is one that says something. */
function externalKey({ importKey }: Model, metadata: JsonObject): string | undefined {
  if (importKey === undefined) return undefined;
  let value: Json | undefined = metadata;
  for (const name of importKey.split(".").slice(1)) value = isObject(value) ? own(value, name) : undefined;
  return typeof value === "string" && !isBlank(value) ? `key:${value.trim()}` : undefined;
}
