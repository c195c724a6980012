import { isObject, type Json, type JsonObject, own } from "../json.js";

/**
 * What a JSON merge patch (RFC 7396) makes of a value: members of the patch replace those of the same name, objects
 * one within the other, and `null` takes a member away. A patch that is no object replaces the value as a whole.
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const name of Object.keys(patch)) {
    const value = own(patch, name)!;
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  // fromEntries defines properties: a key `__proto__` stays a key.
  return Object.fromEntries(members) as JsonObject;
}
