import { fail } from "./errors.js";

/** A value that `JSON.parse` returns. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A read-only JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Returns whether this is a JSON object, and neither an array nor null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an own property, or undefined. `__proto__` and `constructor` in data are names like any other. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Returns whether a text is valid JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Parses a JSON object that the store keeps in a column.
 *
 * @param subject the subject of messages, such as "The scopes of token"; exactly "record" for a body
 * @param id the id with which an operator finds the row
 * @throws BinderyError STORE_DAMAGED if the column holds anything else
 */
export function storedObject<T extends object>(text: unknown, subject: string, id: string | number): T {
  const value = parseStored(text, subject, id);
  if (!isObject(value)) throw storedDamaged(subject, id, "it is not a JSON object");
  return value as T;
}

/** Parses a JSON array as `storedObject` parses an object. @param isEntry checks an entry */
export function storedList<T>(
  text: unknown,
  subject: string,
  id: string | number,
  isEntry: (entry: unknown) => boolean = isObject,
): readonly T[] {
  const value = parseStored(text, subject, id);
  if (!Array.isArray(value) || !value.every(isEntry))
    throw storedDamaged(subject, id, "it is not the expected JSON array");
  return value as readonly T[];
}

/** Returns the error of a stored value that differs from what was written. */
export function storedDamaged(subject: string, id: string | number, reason: string, cause?: unknown): Error {
  const row = String(id);
  if (subject === "record") return fail("STORE_DAMAGED", { part: `The record "${row}"`, reason, record: row }, cause);
  return fail("STORE_DAMAGED", { part: `${subject} "${row}"`, reason, row }, cause);
}

function parseStored(text: unknown, subject: string, id: string | number): Json {
  if (typeof text !== "string") throw storedDamaged(subject, id, "it is not a text");
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw storedDamaged(subject, id, "it is not JSON", error);
  }
}

/**
 * Writes JSON text that is the same for equal values: sorted members, no blanks. Recurses as deep as the value nests.
 */
export function canonicalJson(value: Json): string {
  if (!isObject(value) && !Array.isArray(value)) return JSON.stringify(value);
  // Concatenates directly, because a load does this for millions of terms.
  let members = "";
  if (isObject(value)) {
    for (const name of Object.keys(value).sort()) {
      members += `${members === "" ? "" : ","}${JSON.stringify(name)}:${canonicalJson(value[name]!)}`;
    }
    return `{${members}}`;
  }
  for (let i = 0; i < value.length; i++) members += `${i === 0 ? "" : ","}${canonicalJson(value[i])}`;
  return `[${members}]`;
}

/**
 * Applies a JSON merge patch (RFC 7396): members of the patch replace members of the same name, objects are merged
 * recursively, and `null` removes a member. A patch that is not an object replaces the whole value.
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const name of Object.keys(patch)) {
    const value = own(patch, name)!;
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  // fromEntries defines properties, so a key `__proto__` stays a key.
  return Object.fromEntries(members) as JsonObject;
}

/** Escapes a step of a JSON pointer (RFC 6901). */
export function escapePointer(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Returns the name that a step of a JSON pointer stands for. */
export function unescapePointer(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}
