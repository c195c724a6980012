import { isObject, type Json } from "./json.js";

/** JSON text that is the same for equal values: members sorted by name, no blanks. Nests as deep as the value does. */
export function canonicalJson(value: Json): string {
  if (!isObject(value) && !Array.isArray(value)) return JSON.stringify(value);
  // Written as one text: a load makes it of millions of items.
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
