/** A value as `JSON.parse` makes it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Read only: whoever changes one makes a copy. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Is this a JSON object, and neither an array nor null? */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own property, or undefined: `__proto__` and `constructor` in data are names like any other. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
