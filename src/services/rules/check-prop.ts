import type { Prop } from "../../core/catalog/types.js";
import { isObject, type Json, own } from "../../core/json.js";
import { forbiddenIn, nameOfForbidden } from "../input/characters.js";
import { kindOf } from "./shown.js";

/**
 * Checks the value of a prop against its declared type.
 *
 * @returns the value to store, without empty ones (undefined: nothing is left), in declared order
 */
export function checkProp(prop: Prop, value: Json, reasons: string[]): Json | undefined {
  const refuse = (means: string): undefined => {
    const forbidden = forbiddenAnywhere(value);
    if (forbidden !== undefined) {
      reasons.push(`"${prop.name}" contains ${nameOfForbidden(forbidden)}, which is not allowed`);
      return undefined;
    }
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
    const forbidden = fits ? undefined : forbiddenAnywhere(inner);
    if (forbidden !== undefined) {
      reasons.push(`"${prop.name}.${name}" contains ${nameOfForbidden(forbidden)}, which is not allowed`);
    } else if (!fits)
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
  return typeof value === "string" && forbiddenIn(value) === undefined;
}

/** Returns the first forbidden character of a text, or of the texts of a list. */
function forbiddenAnywhere(value: Json): string | undefined {
  const texts = (Array.isArray(value) ? value : [value]).filter((text) => typeof text === "string");
  return texts.map(forbiddenIn).find((character) => character !== undefined);
}
