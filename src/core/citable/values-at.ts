import type { DescribedField } from "../catalog/description.js";
import { isObject, type Json, own } from "../json.js";

/** All values at a path, through lists; a list at its end gives its elements. */
export function valuesAt(value: Json, path: string): readonly Json[] {
  let here: Json[] = [value];
  for (const step of path.split(".")) {
    const next: Json[] = [];
    for (const each of here) if (isObject(each)) addTo(next, own(each, step));
    if (next.length === 0) return next;
    here = next;
  }
  return here;
}

/** Adds a value, or the elements of a list however deep they stand; what is null is no value. */
function addTo(found: Json[], value: Json | undefined): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) for (const each of value) addTo(found, each);
  else found.push(value);
}

/** All values of some fields, in their order. */
export function valuesOf(body: Json, fields: readonly DescribedField[] = []): readonly Json[] {
  return fields.flatMap(({ paths }) => paths.flatMap((path) => valuesAt(body, path)));
}

/** A property that is a text with something in it. */
export function textAt(value: Json, name: string): string | undefined {
  const text = isObject(value) ? own(value, name) : undefined;
  return typeof text === "string" && text.trim() !== "" ? text.trim() : undefined;
}

/**
 * What people call a value: a text as it is, a number with its unit, a term by its title (English, else the first),
 * an object by its name.
 */
export function labelOf(value: Json): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  if (typeof value === "number") return String(value);
  if (!isObject(value)) return undefined;
  const title = own(value, "title");
  if (typeof title === "string") return labelOf(title);
  if (isObject(title))
    return (
      textAt(title, "en") ??
      Object.values(title)
        .map(labelOf)
        .find((text) => text !== undefined)
    );
  const number = own(value, "value");
  if (typeof number === "number") return [number, textAt(value, "unit")].filter((part) => part !== undefined).join(" ");
  return textAt(value, "name") ?? textAt(value, "id");
}
