/** Representations of values in messages and issues. */
import { isObject, type Json } from "../../core/json.js";
import { messagesIn } from "../../core/messages/en.js";
import type { Messages, TypeName } from "../../core/messages/messages.js";

/** Maximum length of a bad value that its issue repeats. */
const VALUE_LENGTH_MAX = 1_024;
/** Maximum length of a text in a message; longer ones are cut. */
const SHOWN_LENGTH_MAX = 80;

function typeOf(value: unknown): TypeName | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" || type === "object" ? type : undefined;
}

/** Returns the kind of a value in words. */
export function kindOf(value: unknown, say: Messages = messagesIn()): string {
  return say.type(typeOf(value));
}

/** Formats a value for a sentence: a text in quotes, cut if it is long; for a list or an object only its kind. */
export function shown(value: unknown, say: Messages): string {
  if (Array.isArray(value) || isObject(value)) return kindOf(value, say);
  const text = typeof value === "string" ? `"${value}"` : String(value);
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX - 1)}…` : text;
}

/** Returns the bad value if it is a short single value or an empty list or object, else undefined. */
export function shownValue(value: Json): Json | undefined {
  if (typeof value === "string") return value.length > VALUE_LENGTH_MAX ? undefined : value;
  if (value === null || typeof value !== "object") return value;
  return Object.keys(value).length === 0 ? value : undefined;
}
