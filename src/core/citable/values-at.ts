import type { DescribedField } from "../catalog/description.js";
import { isObject, type Json, type JsonObject, own } from "../json.js";

/** Returns all values at a path, through lists; a list at its end gives its elements. */
export function valuesAt(value: Json, path: string): readonly Json[] {
  let values: Json[] = [value];
  for (const step of path.split(".")) {
    const next: Json[] = [];
    for (const each of values) if (isObject(each)) addTo(next, own(each, step));
    if (next.length === 0) return next;
    values = next;
  }
  return values;
}

/** Adds a value, or the elements of a list at any depth, to `values`. A null is not a value. */
function addTo(values: Json[], value: Json | undefined): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) for (const each of value) addTo(values, each);
  else values.push(value);
}

/** Returns all values of some fields, in their order. */
export function fieldValues(body: Json, fields: readonly DescribedField[] = []): readonly Json[] {
  return fields.flatMap(({ paths }) => paths.flatMap((path) => valuesAt(body, path)));
}

/** Returns a property that is a non-empty text, trimmed. */
export function textAt(value: Json, name: string): string | undefined {
  const text = isObject(value) ? own(value, name) : undefined;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
}

/**
 * Returns the label of a value: a text as it is, a number with its unit, the title of a term (English, else the
 * first), the name of an object.
 */
export function valueLabel(value: Json): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  if (typeof value === "number") return String(value);
  if (!isObject(value)) return undefined;
  const title = own(value, "title");
  if (typeof title === "string") return valueLabel(title);
  if (isObject(title))
    return (
      textAt(title, "en") ??
      Object.values(title)
        .map(valueLabel)
        .find((text) => text !== undefined)
    );
  const number = own(value, "value");
  if (typeof number === "number") return [number, textAt(value, "unit")].filter((part) => part !== undefined).join(" ");
  return textAt(value, "name") ?? textAt(value, "id");
}

/**
 * Returns the texts that stand for a value. A value with a label has this one text. Otherwise, returns the texts of the
 * list elements or object members, in their order and at any depth, or their numbers if there is no text. A title in
 * several languages counts once, in English if it has an English text.
 */
export function textsIn(value: Json): readonly string[] {
  const label = isObject(value) || typeof value === "string" ? valueLabel(value) : undefined;
  if (label !== undefined) return [label];
  const title = isObject(value) ? titleIn(value) : undefined;
  if (title !== undefined) return [title];
  const parts = memberValues(value);
  const texts = parts.flatMap((part) => (typeof part === "string" || typeof part === "object" ? textsIn(part) : []));
  return texts.length > 0 ? texts : parts.filter((part) => typeof part !== "object").map(String);
}

/** Returns the elements of a list, or the members of an object except those that clients do not write (`@v`). */
function memberValues(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value.filter((each) => each !== null);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => (name.startsWith("@") || member === null ? [] : [member]));
}

const LANGUAGE = /^[a-z]{2,3}(?:-[A-Za-z0-9-]+)?$/;

/** Returns the English, else the first text of a title by language. Undefined if the object is not such a title. */
function titleIn(value: JsonObject): string | undefined {
  const entries = Object.entries(value);
  const isTitle =
    entries.length > 0 && entries.every(([name, text]) => LANGUAGE.test(name) && typeof text === "string");
  return isTitle ? (textAt(value, "en") ?? entries.map(([, text]) => valueLabel(text)).find(Boolean)) : undefined;
}
