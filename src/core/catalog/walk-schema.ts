import type { Problems } from "../declarations/declaration.js";
import { isObject, type Json, type JsonObject } from "../json.js";
import type { Bundle } from "./bundle-schema.js";
import { LEAF_KINDS, type Leaf, type LeafType } from "./types.js";

/** An unchecked place in the schema that cites a term or refers to another part of the record. */
export interface UncheckedSite {
  readonly path: string;
  readonly elementPath: string;
  /** The value of the keyword. */
  readonly declared: Json;
  readonly schema: JsonObject;
}

/** The shape of a record according to its schema. */
export interface Shape {
  /** By path, without weights. */
  readonly leaves: Map<string, Leaf>;
  /** Paths of all objects and arrays of objects. */
  readonly objects: Set<string>;
  /** Paths of arrays of objects, outer before inner. */
  readonly elementPaths: string[];
  readonly termSites: UncheckedSite[];
  readonly references: UncheckedSite[];
  /** Allowed values of the texts `unit`, by path; a path is absent if all texts are allowed. */
  readonly allowedUnits: Map<string, readonly string[]>;
}

interface WalkState {
  readonly path: string;
  readonly elementPath: string;
  /** Definitions that led here, to detect circles. */
  readonly through: readonly string[];
}

/** Walks a bundle and collects all declared paths below `metadata`. */
export function walkSchema(bundle: Bundle, problems: Problems): Shape {
  const shape: Shape = {
    leaves: new Map(),
    objects: new Set(),
    elementPaths: [],
    termSites: [],
    references: [],
    allowedUnits: new Map(),
  };

  const note = (schema: JsonObject, keyword: string, reason: string): void => {
    const origin = bundle.origins.get(schema);
    if (origin !== undefined) problems.add(origin.declaration, [...origin.place, keyword], reason);
  };

  const walk = (schema: Json | undefined, spot: WalkState): void => {
    if (!isObject(schema)) return;
    if (typeof schema.$ref === "string") {
      const { $ref } = schema;
      if (spot.through.includes($ref)) note(schema, "$ref", `"${$ref}" contains itself; paths must have an end`);
      else walk(resolveDefinition(bundle.schema, $ref), { ...spot, through: [...spot.through, $ref] });
    }
    for (const branch of branchesOf(schema)) walk(branch, spot);
    const mistake = findChoiceMistake(bundle.schema, schema);
    if (mistake !== undefined) note(schema, "discriminator", mistake);
    const site = { path: spot.path, elementPath: spot.elementPath, schema };
    if (schema["x-vocabulary"] !== undefined) shape.termSites.push({ ...site, declared: schema["x-vocabulary"] });
    if (schema["x-reference"] !== undefined) shape.references.push({ ...site, declared: schema["x-reference"] });
    if (isObject(schema.properties)) {
      shape.objects.add(spot.path);
      for (const [name, inner] of Object.entries(schema.properties)) {
        walk(inner, { ...spot, path: `${spot.path}.${name}` });
      }
    }
    for (const items of itemSchemas(schema)) walkItems(items, spot);
    addLeaf(schema, spot);
  };

  const walkItems = (items: Json, spot: WalkState): void => {
    const isElement = describesObject(bundle.schema, items, []);
    if (isElement && !shape.elementPaths.includes(spot.path)) shape.elementPaths.push(spot.path);
    walk(items, isElement ? { ...spot, elementPath: spot.path } : spot);
  };

  const addLeaf = (schema: JsonObject, spot: WalkState): void => {
    const type = leafType(schema);
    if (type === undefined) return;
    const { path, elementPath } = spot;
    const earlier = shape.leaves.get(path);
    if (earlier !== undefined && earlier.elementPath !== elementPath) {
      note(schema, "type", `${path} is within a list of objects in one alternative and not in another`);
    }
    const notKnown = schema["x-not-known"];
    const kind = LEAF_KINDS.find((one) => one === schema["x-kind"]);
    if (path.endsWith(".unit")) addAllowedUnits(shape, path, schema, earlier === undefined);
    shape.leaves.set(path, {
      path,
      type: earlier === undefined || earlier.type === type ? type : "keyword",
      weight: "rest",
      elementPath,
      ...(typeof notKnown === "number" ? { notKnown } : {}),
      kind,
    });
  };

  walk(bundle.schema, { path: "metadata", elementPath: "", through: [] });
  return shape;
}

/**
 * Returns the mistake in a choice: each alternative must declare its values of the choosing field, which is required.
 */
function findChoiceMistake(root: JsonObject, { discriminator, oneOf, required }: JsonObject): string | undefined {
  if (!isObject(discriminator)) return undefined;
  if (!Array.isArray(oneOf)) return 'a "discriminator" needs a "oneOf" next to it, from whose alternatives it selects';
  const by = String(discriminator.propertyName);
  const isHere = Array.isArray(required) && required.includes(by);
  const usedValues = new Set<Json>();
  for (const [i, branch] of oneOf.entries()) {
    const referred =
      isObject(branch) && typeof branch.$ref === "string" ? resolveDefinition(root, branch.$ref) : branch;
    const alternative = isObject(referred) ? referred : {};
    const discriminator = isObject(alternative.properties) ? alternative.properties[by] : undefined;
    const values = isObject(discriminator) ? schemaValues(discriminator) : [];
    const which = `alternative ${i + 1} of "oneOf"`;
    if (values.length === 0) return `${which} must say with "const" or "enum" which texts of "${by}" mean it`;
    const isInBranch = Array.isArray(alternative.required) && alternative.required.includes(by);
    if (!isHere && !isInBranch) return `"${by}" must be required, or ${which} cannot be chosen`;
    for (const value of values) {
      if (usedValues.has(value)) return `"${String(value)}" of "${by}" means two alternatives of "oneOf"`;
      usedValues.add(value);
    }
  }
  return undefined;
}

/** Returns whether there is a leaf, an object, a list of objects, or a cited term at a path. */
export function hasPath({ leaves, objects, elementPaths }: Shape, path: string): boolean {
  if (leaves.has(path) || objects.has(path) || elementPaths.includes(path)) return true;
  return [...leaves.keys()].some((leaf) => leaf.startsWith(`${path}.`));
}

/** Adds the allowed units of a schema. Alternatives may allow different units; one that allows any text allows all. */
function addAllowedUnits(shape: Shape, path: string, schema: JsonObject, isFirst: boolean): void {
  const values = schemaValues(schema).filter((value) => typeof value === "string");
  const earlier = shape.allowedUnits.get(path);
  if (values.length === 0) shape.allowedUnits.delete(path);
  else if (isFirst || earlier !== undefined) shape.allowedUnits.set(path, [...(earlier ?? []), ...values]);
}

/** Returns the definition for a `$ref` of a bundle. */
export function resolveDefinition(schema: JsonObject, ref: string): Json | undefined {
  const { $defs } = schema;
  return isObject($defs) ? $defs[ref.slice("#/$defs/".length)] : undefined;
}

/** Returns the schemas in a schema that apply to the same value: alternatives, conditions and extensions. */
export function branchesOf(schema: JsonObject): readonly Json[] {
  const lists = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return [...lists, schema.if, schema.then, schema.else].filter((branch) => branch !== undefined) as Json[];
}

/** Returns the schemas of the items of an array. */
export function itemSchemas(schema: JsonObject): readonly Json[] {
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  return (schema.items === undefined ? first : [...first, schema.items]) as Json[];
}

function describesObject(root: JsonObject, schema: Json | undefined, through: readonly string[]): boolean {
  if (!isObject(schema)) return false;
  if (isObject(schema.properties) || [schema.type].flat().includes("object")) return true;
  if (branchesOf(schema).some((branch) => describesObject(root, branch, through))) return true;
  const { $ref } = schema;
  if (typeof $ref !== "string" || through.includes($ref)) return false;
  return describesObject(root, resolveDefinition(root, $ref), [...through, $ref]);
}

/** Returns the list of values that a schema allows; empty if there is no list. */
function schemaValues(schema: JsonObject): readonly Json[] {
  if (Array.isArray(schema.enum)) return schema.enum as readonly Json[];
  return schema.const === undefined ? [] : [schema.const];
}

function leafType(schema: JsonObject): LeafType | undefined {
  const values = schemaValues(schema);
  const types = schema.type === undefined ? values.map((value) => typeof value) : [schema.type].flat();
  const leafTypes = new Set(types.flatMap((type) => LEAF_TYPES.get(String(type)) ?? []));
  if (leafTypes.size === 0) return undefined;
  if (leafTypes.size > 1) return "keyword";
  const [type] = leafTypes;
  const isDate = type === "keyword" && (schema.format === "date" || schema.format === "date-time");
  return isDate ? "date" : type;
}

const LEAF_TYPES: ReadonlyMap<string, LeafType> = new Map([
  ["string", "keyword"],
  ["boolean", "keyword"],
  ["number", "number"],
  ["integer", "number"],
]);
