import type { Declaration, Place, Problems } from "../declarations/declaration.js";
import { isObject, type Json, type JsonObject, own } from "../json.js";
import { checkKeywords, SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS } from "./schema-keywords.js";
import { resolveDefinition } from "./walk-schema.js";

/** The place where a schema of a bundle was declared. */
export interface Origin {
  readonly declaration: Declaration;
  readonly place: Place;
}

/** A self-contained schema: shared parts are in `$defs`, and every `$ref` is `#/$defs/<key>`. */
export interface Bundle {
  readonly schema: JsonObject;
  readonly origins: ReadonlyMap<JsonObject, Origin>;
}

/** Keywords that may be used together with `x-vocabulary` or `x-reference`. */
const SITE_KEYWORDS = ["x-vocabulary", "x-reference", "title", "description", "$comment", "deprecated"];
/** Names that paths of the query language and of the index can contain. */
const PROPERTY_NAME = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_-]*$/;

/**
 * Combines a model's `metadata.schema.json` with the parts of `shared/` to which it refers in one schema. The place of
 * a term (`x-vocabulary`) and a reference (`x-reference`) become objects that require only an `id`.
 *
 * @param shared declarations of `shared/<name>.schema.json` by name
 */
export function bundleSchema(root: Declaration, shared: ReadonlyMap<string, Declaration>, problems: Problems): Bundle {
  const origins = new Map<JsonObject, Origin>();
  const defs = new Map<string, Json>();

  const copy = (value: unknown, declaration: Declaration, place: Place): Json => {
    if (typeof value === "boolean") return value;
    if (!isObject(value)) {
      problems.add(declaration, place, "a schema must be a map of keywords, true or false");
      return true;
    }
    checkKeywords(value, declaration, place, problems);
    const entries = Object.entries(value)
      .filter(([keyword]) => !["$id", "$schema", "$defs"].includes(keyword))
      .map(([keyword, inner]) => [keyword, copyKeyword(keyword, inner, declaration, [...place, keyword])] as const);
    const schema = asSite(Object.fromEntries(entries), declaration, place, problems);
    origins.set(schema, { declaration, place });
    return schema;
  };

  const copyKeyword = (keyword: string, value: unknown, declaration: Declaration, place: Place): Json => {
    if (keyword === "$ref") return resolve(value, declaration, place);
    if (SCHEMA_KEYWORDS.includes(keyword)) return copy(value, declaration, place);
    if (SCHEMA_LIST_KEYWORDS.includes(keyword)) {
      if (Array.isArray(value)) return value.map((item, i) => copy(item, declaration, [...place, i]));
      problems.add(declaration, place, `"${keyword}" must be a list of schemas`);
      return [];
    }
    if (!SCHEMA_MAP_KEYWORDS.includes(keyword)) return value as Json;
    if (!isObject(value)) {
      problems.add(declaration, place, `"${keyword}" must be a map of names to schemas`);
      return {};
    }
    const names = Object.entries(value).map(([name, inner]) => {
      if (keyword === "properties" && !PROPERTY_NAME.test(name)) {
        problems.add(declaration, [...place, name], `"${name}" cannot name a field: ${PROPERTY_NAME.source}`);
      }
      return [name, copy(inner, declaration, [...place, name])] as const;
    });
    return Object.fromEntries(names);
  };

  const resolve = (ref: unknown, declaration: Declaration, place: Place): Json => {
    const parts = /^(?:(?:[^#]*\/)?([^/#]+)\.schema\.json)?#\/\$defs\/([A-Za-z0-9_-]+)$/.exec(String(ref));
    const [, file, name = ""] = parts ?? [];
    const target = file === undefined ? declaration : shared.get(file);
    const definition = target === undefined ? undefined : ownDefinition(target, name);
    if (parts === null || target === undefined || definition === undefined) {
      const known = [...shared.keys()].map((key) => `${key}.schema.json`).join(", ") || "none";
      const why = parts !== null && target === undefined ? `; the shared files are ${known}` : "";
      problems.add(declaration, place, `"$ref": "${ref}" leads nowhere${why}`);
      return "#";
    }
    const key = target === root ? name : `${sharedName(target, shared)}.${name}`;
    if (!defs.has(key)) {
      defs.set(key, true); // Before it is copied, because a definition may refer to itself.
      defs.set(key, copy(definition, target, ["$defs", name]));
    }
    return `#/$defs/${key}`;
  };

  const top = copy(root.value, root, []);
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  const schema: JsonObject = { $schema, ...(isObject(top) ? top : {}), $defs: Object.fromEntries(defs) };
  origins.set(schema, { declaration: root, place: [] });
  return { schema, origins };
}

function ownDefinition(declaration: Declaration, name: string): unknown {
  const defs = isObject(declaration.value) ? declaration.value.$defs : undefined;
  return isObject(defs) && Object.hasOwn(defs, name) ? defs[name] : undefined;
}

function sharedName(target: Declaration, shared: ReadonlyMap<string, Declaration>): string {
  return [...shared].find(([, declaration]) => declaration === target)?.[0] ?? "";
}

function asSite(schema: JsonObject, declaration: Declaration, place: Place, problems: Problems): JsonObject {
  const isSite = Object.hasOwn(schema, "x-vocabulary") || Object.hasOwn(schema, "x-reference");
  if (!isSite) return schema;
  for (const keyword of Object.keys(schema)) {
    if (SITE_KEYWORDS.includes(keyword)) continue;
    problems.add(
      declaration,
      [...place, keyword],
      `"${keyword}" cannot be used together with x-vocabulary or x-reference`,
    );
  }
  return { ...schema, type: "object", properties: { id: { type: "string", minLength: 1 } }, required: ["id"] };
}

type Steps = readonly (string | number)[];

/**
 * Adds the value that a model expects at a path to the `enum` there, if it lacks the value. The enum of a shared part
 * lists the values of its original models; a new model declares its own value in its own file.
 *
 * @param schema a bundled schema
 * @param path of a text outside of lists: `metadata.technique`
 * @returns undefined if the schema already allows the value
 */
export function allowExpected(schema: JsonObject, path: string, value: string): JsonObject | undefined {
  const place = findEnum(schema, schema, { steps: [], path: path.split(".").slice(1), through: [] });
  if (place === undefined || place.values.includes(value)) return undefined;
  return replaceAt(schema, place.steps, [...place.values, value]) as JsonObject;
}

interface Spot {
  /** Path from the root of the bundle to this schema. */
  readonly steps: Steps;
  /** Names of properties from this schema to the text. */
  readonly path: readonly string[];
  /** Definitions that led here without a property in between, to detect circles. */
  readonly through: readonly string[];
}

/** Returns the enum that applies to a text: its place in the bundle, and its values. */
function findEnum(
  root: JsonObject,
  schema: Json | undefined,
  { steps, path, through }: Spot,
): { readonly steps: Steps; readonly values: readonly Json[] } | undefined {
  if (!isObject(schema)) return undefined;
  const [name, ...rest] = path;
  if (name === undefined && Array.isArray(schema.enum)) return { steps: [...steps, "enum"], values: schema.enum };
  const parts: (readonly [Json | undefined, Spot])[] = [];
  if (name !== undefined && isObject(schema.properties)) {
    parts.push([own(schema.properties, name), { steps: [...steps, "properties", name], path: rest, through: [] }]);
  }
  const { $ref } = schema;
  if (typeof $ref === "string" && !through.includes($ref)) {
    const spot = { steps: ["$defs", $ref.slice("#/$defs/".length)], path, through: [...through, $ref] };
    parts.push([resolveDefinition(root, $ref), spot]);
  }
  for (const [i, part] of (Array.isArray(schema.allOf) ? schema.allOf : []).entries()) {
    parts.push([part, { steps: [...steps, "allOf", i], path, through }]);
  }
  for (const [part, spot] of parts) {
    const place = findEnum(root, part, spot);
    if (place !== undefined) return place;
  }
  return undefined;
}

function replaceAt(schema: Json, steps: Steps, value: Json): Json {
  const [step, ...rest] = steps;
  if (step === undefined) return value;
  if (Array.isArray(schema)) return schema.map((each, i) => (i === step ? replaceAt(each, rest, value) : each));
  if (!isObject(schema)) return schema;
  return { ...schema, [step]: replaceAt(schema[step] ?? null, rest, value) };
}

/** Keywords that describe a place without restricting values. */
const ANNOTATIONS: readonly string[] = [
  "title",
  "description",
  "$comment",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
];

/**
 * Returns an equivalent schema without `$defs`: each `$ref` is replaced by its definition. Keywords next to a `$ref`
 * override the definition if they only describe the place; otherwise both apply.
 *
 * @param root a bundled and checked schema (`bundleSchema`): no definition contains itself
 */
export function inlineReferences(root: JsonObject): JsonObject {
  const inline = (schema: Json): Json => {
    if (!isObject(schema)) return schema;
    const entries = Object.entries(schema)
      .filter(([keyword]) => keyword !== "$ref" && keyword !== "$defs")
      .map(([keyword, value]) => [keyword, inlineKeyword(keyword, value)] as const);
    const siblings: JsonObject = Object.fromEntries(entries);
    return typeof schema.$ref === "string"
      ? joinSchemas(inline(resolveDefinition(root, schema.$ref) ?? true), siblings)
      : siblings;
  };

  const inlineKeyword = (keyword: string, value: Json): Json => {
    if (SCHEMA_KEYWORDS.includes(keyword)) return inline(value);
    if (SCHEMA_LIST_KEYWORDS.includes(keyword) && Array.isArray(value)) return value.map(inline);
    if (!SCHEMA_MAP_KEYWORDS.includes(keyword) || !isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inline(inner)]));
  };

  return inline(root) as JsonObject;
}

function joinSchemas(target: Json, siblings: JsonObject): JsonObject {
  const describesOnly = Object.keys(siblings).every((keyword) => ANNOTATIONS.includes(keyword));
  if (describesOnly && isObject(target)) return { ...target, ...siblings };
  const otherSchemas = Array.isArray(siblings.allOf) ? siblings.allOf : [];
  return { ...siblings, allOf: [target, ...otherSchemas] };
}
