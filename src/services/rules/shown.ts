/** Values as messages and issues show them. */
import { isObject, type Json } from "../../core/json.js";
import type { Messages, TypeName } from "../../core/messages/messages.js";
import { messagesIn } from "../../core/messages/messages-in.js";

/** A longer bad value is not repeated in its issue. */
const VALUE_LENGTH_MAX = 1_024;
/** A longer text is cut in a message. */
const SHOWN_LENGTH_MAX = 80;

function typeOf(value: unknown): TypeName | undefined {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" || type === "object" ? type : undefined;
}

/** What a value is, in plain words. */
export function kindOf(value: unknown, say: Messages = messagesIn()): string {
  return say.type(typeOf(value));
}

/** A value within a sentence: a text in quotes, cut where it is long; of a list or an object only what it is. */
export function shown(value: unknown, say: Messages): string {
  if (Array.isArray(value) || isObject(value)) return kindOf(value, say);
  const text = typeof value === "string" ? `"${value}"` : String(value);
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX - 1)}…` : text;
}

/** The bad value, where it is a single one of bearable length or an empty list or object. */
export function shownValue(value: Json): Json | undefined {
  if (typeof value === "string") return value.length > VALUE_LENGTH_MAX ? undefined : value;
  if (value === null || typeof value !== "object") return value;
  return Object.keys(value).length === 0 ? value : undefined;
}
