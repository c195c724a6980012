import { branchesOf, definition, itemsOf } from "../../core/catalog/walk-schema.js";
import type { Warning } from "../../core/issue.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { nearestNames } from "../../core/nearest.js";

/** Which fields a schema knows at one place. */
export interface KnownFields {
  readonly fields: ReadonlyMap<string, KnownFields>;
  /** Anything may stand here: said so by the schema, or left to those who fill in terms and references. */
  readonly isOpen: boolean;
  readonly items?: KnownFields;
}

/** Gathers what a bundled schema knows: of each alternative and addition, for whichever of them a value is meant. */
export function knownFields(root: JsonObject): KnownFields {
  const build = (schemas: readonly Json[]): KnownFields => {
    const all = schemas.flatMap((schema) => allOn(root, schema));
    const names = new Map<string, Json[]>();
    for (const { properties } of all) {
      if (!isObject(properties)) continue;
      for (const [name, inner] of Object.entries(properties)) names.set(name, [...(names.get(name) ?? []), inner]);
    }
    const items = all.flatMap(itemsOf);
    return {
      fields: new Map([...names].map(([name, inner]) => [name, build(inner)])),
      isOpen: names.size === 0 || all.some(isOpenHere),
      ...(items.length === 0 ? {} : { items: build(items) }),
    };
  };
  return build([root]);
}

/** Warns of every field that is not known at its place, with the names nearest to it. */
export function findUnknownFields(metadata: JsonObject, known: KnownFields): readonly Warning[] {
  const warnings: Warning[] = [];
  let unlisted = 0;
  const visit = (value: Json, here: KnownFields, field: string): void => {
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) if (here.items !== undefined) visit(item, here.items, `${field}.${i}`);
      return;
    }
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      const below = here.fields.get(name);
      if (below !== undefined) visit(inner, below, `${field}.${name}`);
      else if (here.isOpen) continue;
      else if (warnings.length >= LIMITS.issuesMax) unlisted++;
      else warnings.push(unknownField(name, here, `${field}.${name}`));
    }
  };
  visit(metadata, known, "metadata");
  if (unlisted > 0) {
    const message = `${unlisted} more fields are not known to this model; they are kept, too.`;
    warnings.push({ code: "UNKNOWN_FIELD", message, field: "metadata" });
  }
  return warnings;
}

function unknownField(name: string, here: KnownFields, field: string): Warning {
  const nearest = nearestNames(name, here.fields.keys(), LIMITS.nearestMax);
  const cure = nearest.length === 0 ? "" : ` Did you mean "${nearest[0]}"?`;
  const message = `"${name}" is not known here; it is kept and found by its text.${cure}`;
  return { code: "UNKNOWN_FIELD", message, field, ...(nearest.length === 0 ? {} : { nearest }) };
}

/** A schema and all others that speak of the same value. */
function allOn(root: JsonObject, schema: Json | undefined): readonly JsonObject[] {
  if (!isObject(schema)) return [];
  const referred = typeof schema.$ref === "string" ? allOn(root, definition(root, schema.$ref)) : [];
  return [schema, ...referred, ...branchesOf(schema).flatMap((branch) => allOn(root, branch))];
}

function isOpenHere(schema: JsonObject): boolean {
  const { additionalProperties } = schema;
  const isDeclaredOpen = additionalProperties === true || isObject(additionalProperties);
  return (
    isDeclaredOpen || ["patternProperties", "x-vocabulary", "x-reference"].some((key) => Object.hasOwn(schema, key))
  );
}
