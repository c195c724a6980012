import type { Declaration, Place, Problems } from "../declarations/declaration.js";
import { isObject, type Json, type JsonObject, own } from "../json.js";
import { checkKeywords, SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS } from "./schema-keywords.js";
import { definition } from "./walk-schema.js";

/** Where a schema of a bundle was declared. */
export interface Origin {
  readonly declaration: Declaration;
  readonly place: Place;
}

/** One self-contained schema: shared parts stand in `$defs`, and every `$ref` is `#/$defs/<key>`. */
export interface Bundle {
  readonly schema: JsonObject;
  readonly origins: ReadonlyMap<JsonObject, Origin>;
}

/** What may stand beside `x-vocabulary` or `x-reference`, whose own keywords the service knows. */
const BESIDE_SITE = ["x-vocabulary", "x-reference", "title", "description", "$comment", "deprecated"];
/** What the paths of the query language and of the index can carry. */
const PROPERTY_NAME = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_-]*$/;

/**
 * Makes one schema of a model's `metadata.schema.json` and the parts of `shared/` that it refers to. A term's place
 * (`x-vocabulary`) and a reference (`x-reference`) become objects that need nothing but an `id`.
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
    const made = asSite(Object.fromEntries(entries), declaration, place, problems);
    origins.set(made, { declaration, place });
    return made;
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
    const held = target === undefined ? undefined : definitionOf(target, name);
    if (parts === null || target === undefined || held === undefined) {
      const known = [...shared.keys()].map((key) => `${key}.schema.json`).join(", ") || "none";
      const why = parts !== null && target === undefined ? `; the shared files are ${known}` : "";
      problems.add(declaration, place, `"$ref": "${ref}" leads nowhere${why}`);
      return "#";
    }
    const key = target === root ? name : `${keyOf(target, shared)}.${name}`;
    if (!defs.has(key)) {
      defs.set(key, true); // Before its copy is made, so that a definition may refer to itself without end.
      defs.set(key, copy(held, target, ["$defs", name]));
    }
    return `#/$defs/${key}`;
  };

  const top = copy(root.value, root, []);
  const $schema = "https://json-schema.org/draft/2020-12/schema";
  const schema: JsonObject = { $schema, ...(isObject(top) ? top : {}), $defs: Object.fromEntries(defs) };
  origins.set(schema, { declaration: root, place: [] });
  return { schema, origins };
}

function definitionOf(declaration: Declaration, name: string): unknown {
  const defs = isObject(declaration.value) ? declaration.value.$defs : undefined;
  return isObject(defs) && Object.hasOwn(defs, name) ? defs[name] : undefined;
}

function keyOf(target: Declaration, shared: ReadonlyMap<string, Declaration>): string {
  return [...shared].find(([, declaration]) => declaration === target)?.[0] ?? "";
}

function asSite(schema: JsonObject, declaration: Declaration, place: Place, problems: Problems): JsonObject {
  const isSite = Object.hasOwn(schema, "x-vocabulary") || Object.hasOwn(schema, "x-reference");
  if (!isSite) return schema;
  for (const keyword of Object.keys(schema)) {
    if (BESIDE_SITE.includes(keyword)) continue;
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
 * Adds the value that a model expects at a path to the `enum` there, if it is not in it. The enum of a shared part
 * lists the values of the models that it was written for: a new model declares its own value in its own file.
 *
 * @param schema a bundled schema
 * @param path of a text outside of lists: `metadata.technique`
 * @returns undefined where the schema allows the value already
 */
export function allowExpected(schema: JsonObject, path: string, value: string): JsonObject | undefined {
  const found = findEnum(schema, schema, { steps: [], path: path.split(".").slice(1), through: [] });
  if (found === undefined || found.values.includes(value)) return undefined;
  return replaceAt(schema, found.steps, [...found.values, value]) as JsonObject;
}

interface Spot {
  /** From the root of the bundle to here. */
  readonly steps: Steps;
  /** Names of properties from here to the text. */
  readonly path: readonly string[];
  /** Definitions that led here without a property in between: one that leads to itself has no end. */
  readonly through: readonly string[];
}

/** The enum that holds for a text: its place in the bundle, and its values. */
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
    parts.push([definition(root, $ref), spot]);
  }
  for (const [i, part] of (Array.isArray(schema.allOf) ? schema.allOf : []).entries()) {
    parts.push([part, { steps: [...steps, "allOf", i], path, through }]);
  }
  for (const [part, spot] of parts) {
    const found = findEnum(root, part, spot);
    if (found !== undefined) return found;
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
