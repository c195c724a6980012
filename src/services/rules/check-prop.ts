import type { Prop } from "../../core/catalog/types.js";
import { isObject, type Json, own } from "../../core/json.js";
import { kindOf } from "./shown.js";

/** A NUL or half of a surrogate pair cannot be stored or sent. */
export const UNSTORABLE = /\0|\p{Surrogate}/u;

/**
 * Checks the value of a prop against its declared type.
 *
 * @returns the value to store, without empty ones (undefined: nothing is left), in declared order
 */
export function checkProp(prop: Prop, value: Json, reasons: string[]): Json | undefined {
  const refuse = (means: string): undefined => {
    const hint = prop.type === "text" && typeof value === "number" ? "; put it in quotes" : "";
    reasons.push(`"${prop.name}" must be ${means}, but it is ${kindOf(value)}${hint}`);
    return undefined;
  };
  switch (prop.type) {
    case "text":
      return isStorable(value) ? value || undefined : refuse("text");
    case "number":
      return isNumber(value) ? value : refuse("a number");
    case "boolean":
      return typeof value === "boolean" ? value : refuse("true or false");
    case "list":
      if (!Array.isArray(value) || !value.every((item) => isStorable(item) || isNumber(item))) {
        return refuse("a list of texts or numbers");
      }
      return value.length === 0 ? undefined : value;
    case "object":
      return checkObject(prop, value, reasons);
  }
}

function checkObject(prop: Prop, value: Json, reasons: string[]): Json | undefined {
  if (!isObject(value)) {
    reasons.push(`"${prop.name}" must be an object, but it is ${kindOf(value)}`);
    return undefined;
  }
  const declared = prop.properties ?? [];
  for (const key of Object.keys(value)) {
    if (!declared.some(({ name }) => name === key)) reasons.push(`unknown key "${prop.name}.${key}"`);
  }
  const entries = declared.flatMap(({ name, type }) => {
    const inner = own(value, name) ?? undefined;
    if (inner === undefined) return [];
    const fits = type === "number" ? isNumber(inner) : isStorable(inner);
    if (!fits)
      reasons.push(
        `"${prop.name}.${name}" must be ${type === "number" ? "a number" : "text"}, but it is ${kindOf(inner)}`,
      );
    return [[name, inner] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function isNumber(value: Json): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isStorable(value: Json): value is string {
  return typeof value === "string" && !UNSTORABLE.test(value);
}
