import { isObject, type Json, type JsonObject } from "../json.js";
import { SCHEMA_KEYWORDS, SCHEMA_LIST_KEYWORDS, SCHEMA_MAP_KEYWORDS } from "./schema-keywords.js";
import { definition } from "./walk-schema.js";

/** Keywords that say something of a place and restrict nothing. */
const ANNOTATIONS: readonly string[] = [
  ...["title", "description", "$comment", "default", "examples", "deprecated", "readOnly", "writeOnly"],
];

/**
 * The same schema without `$defs`: each definition stands where its `$ref` stood. What stood beside a `$ref` wins where
 * it only describes the place, and else holds together with the definition.
 *
 * @param root a bundled schema (`bundleSchema`) that was checked: no definition of it contains itself
 */
export function inlineReferences(root: JsonObject): JsonObject {
  const inline = (schema: Json): Json => {
    if (!isObject(schema)) return schema;
    const entries = Object.entries(schema)
      .filter(([keyword]) => keyword !== "$ref" && keyword !== "$defs")
      .map(([keyword, value]) => [keyword, inlineKeyword(keyword, value)] as const);
    const beside: JsonObject = Object.fromEntries(entries);
    return typeof schema.$ref === "string" ? joined(inline(definition(root, schema.$ref) ?? true), beside) : beside;
  };

  const inlineKeyword = (keyword: string, value: Json): Json => {
    if (SCHEMA_KEYWORDS.includes(keyword)) return inline(value);
    if (SCHEMA_LIST_KEYWORDS.includes(keyword) && Array.isArray(value)) return value.map(inline);
    if (!SCHEMA_MAP_KEYWORDS.includes(keyword) || !isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inline(inner)]));
  };

  return inline(root) as JsonObject;
}

function joined(target: Json, beside: JsonObject): JsonObject {
  const describesOnly = Object.keys(beside).every((keyword) => ANNOTATIONS.includes(keyword));
  if (describesOnly && isObject(target)) return { ...target, ...beside };
  const others = Array.isArray(beside.allOf) ? beside.allOf : [];
  return { ...beside, allOf: [target, ...others] };
}
