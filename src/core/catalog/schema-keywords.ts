import { RE2JS } from "re2js";
import type { Declaration, Place, Problems } from "../declarations/declaration.js";
import { isObject } from "../json.js";
import { nearestNames } from "../nearest.js";
import { LEAF_KINDS, type Vocabulary } from "./types.js";

/** Allowed formats of schemas. `date` and `date-time` make a leaf a date. */
export const FORMATS: readonly string[] = ["date", "date-time", "time", "email", "uri", "uri-reference", "uuid"];

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

type Kind =
  | "any"
  | "text"
  | "flag"
  | "number"
  | "count"
  | "texts"
  | "list"
  | "regex"
  | "type"
  | "format"
  | "kind"
  | "chooser"
  | "ours";

const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((v) => typeof v === "string");
const isChooser = (value: unknown): boolean =>
  isObject(value) && Object.keys(value).join() === "propertyName" && typeof value.propertyName === "string";

/** Keywords whose values are not schemas, and the kinds of their values. */
const PLAIN_KEYWORDS: Readonly<Record<string, Kind>> = {
  $schema: "text",
  $id: "text",
  $comment: "text",
  $ref: "text",
  title: "text",
  description: "text",
  default: "any",
  examples: "list",
  const: "any",
  enum: "list",
  type: "type",
  format: "format",
  pattern: "regex",
  deprecated: "flag",
  readOnly: "flag",
  writeOnly: "flag",
  uniqueItems: "flag",
  minimum: "number",
  maximum: "number",
  exclusiveMinimum: "number",
  exclusiveMaximum: "number",
  multipleOf: "number",
  minLength: "count",
  maxLength: "count",
  minItems: "count",
  maxItems: "count",
  minProperties: "count",
  maxProperties: "count",
  minContains: "count",
  maxContains: "count",
  required: "texts",
  dependentRequired: "any",
  discriminator: "chooser",
  "x-vocabulary": "ours",
  "x-reference": "ours",
  "x-not-known": "number",
  "x-past": "flag",
  "x-kind": "kind",
};

/** Keywords with one schema. */
export const SCHEMA_KEYWORDS: readonly string[] = [
  "items",
  "contains",
  "not",
  "if",
  "then",
  "else",
  "additionalProperties",
  "propertyNames",
  "unevaluatedProperties",
];
/** Keywords with a list of schemas. */
export const SCHEMA_LIST_KEYWORDS: readonly string[] = ["allOf", "anyOf", "oneOf", "prefixItems"];
/** Keywords with schemas by name. */
export const SCHEMA_MAP_KEYWORDS: readonly string[] = ["properties", "patternProperties", "$defs"];

const KNOWN = [
  ...Object.keys(PLAIN_KEYWORDS),
  ...SCHEMA_KEYWORDS,
  ...SCHEMA_LIST_KEYWORDS,
  ...SCHEMA_MAP_KEYWORDS,
] as const;

/** Describes the allowed regular expressions, to follow "must be". */
export const PATTERN_MEANS =
  "a regular expression that neither looks ahead or behind (?= ?! ?<= ?<!) nor refers to a group (\\\\1), " +
  "and repeats at most 1,000 times";

const FITS: Readonly<Record<Kind, { readonly fits: (value: unknown) => boolean; readonly means: string }>> = {
  any: { fits: () => true, means: "anything" },
  ours: { fits: () => true, means: "a map" },
  text: { fits: (v) => typeof v === "string", means: "a text" },
  flag: { fits: (v) => typeof v === "boolean", means: "true or false" },
  number: { fits: (v) => typeof v === "number", means: "a number" },
  count: { fits: isCount, means: "a whole number from 0" },
  texts: { fits: isTexts, means: "a list of texts" },
  list: { fits: (v) => Array.isArray(v) && v.length > 0, means: "a list that is not empty" },
  regex: { fits: isPattern, means: PATTERN_MEANS },
  format: { fits: (v) => FORMATS.includes(v as string), means: `one of ${FORMATS.join(", ")}` },
  chooser: { fits: isChooser, means: '{"propertyName": <name of a property>}' },
  kind: { fits: (v) => LEAF_KINDS.some((one) => one === v), means: `one of ${LEAF_KINDS.join(", ")}` },
  type: {
    fits: (v) => [v].flat().length > 0 && [v].flat().every((type) => TYPES.includes(type as string)),
    means: `one or some of ${TYPES.join(", ")}`,
  },
};

/** A compiled regular expression of the catalog. */
export interface Pattern {
  test(text: string): boolean;
}

/**
 * Compiles a regular expression that an operator declares. The compiled form tests a text in linear time. With the
 * regular expressions of JavaScript, a depositor could send 40 letters that take years to test.
 *
 * @param source in the syntax of JavaScript with the flag `u`, as in JSON Schema
 * @throws Error if the syntax is wrong, or if the expression looks ahead or behind or refers to a group
 */
export function compilePattern(source: string): Pattern {
  return RE2JS.compile(RE2JS.translateRegExp(new RegExp(source, "u")));
}

/** Returns whether a value is a regular expression that `compilePattern` compiles. */
export function isPattern(value: unknown): value is string {
  try {
    return typeof value === "string" && compilePattern(value) !== undefined;
  } catch {
    return false;
  }
}

/** Compiled patterns by source text, at most one per vocabulary. Not in the catalog: threads get copies of it. */
const idPatterns = new Map<string, Pattern>();

/** Returns whether a text matches the `id_pattern` of a vocabulary. */
export function hasIdForm({ idPattern }: Pick<Vocabulary, "idPattern">, id: string): boolean {
  const pattern = idPatterns.get(idPattern) ?? compilePattern(`^(?:${idPattern})$`);
  idPatterns.set(idPattern, pattern);
  return pattern.test(id);
}

/** Notes unknown keywords of a schema (not of the schemas in it), and invalid values of keywords. */
export function checkKeywords(
  schema: Readonly<Record<string, unknown>>,
  declaration: Declaration,
  place: Place,
  problems: Problems,
): void {
  for (const [keyword, value] of Object.entries(schema)) {
    const at = [...place, keyword];
    if (!KNOWN.includes(keyword)) {
      const [near] = nearestNames(keyword, KNOWN, 1);
      const cure = near === undefined ? "" : `; did you mean "${near}"?`;
      problems.add(declaration, at, `unknown schema keyword "${keyword}"${cure}`);
      continue;
    }
    const { fits, means } = FITS[PLAIN_KEYWORDS[keyword] ?? "any"];
    if (!fits(value)) problems.add(declaration, at, `"${keyword}" must be ${means}`);
  }
  for (const name of Object.keys(isObject(schema.patternProperties) ? schema.patternProperties : {})) {
    if (isPattern(name)) continue;
    problems.add(declaration, [...place, "patternProperties", name], `"${name}" must be ${PATTERN_MEANS}`);
  }
  checkRequired(schema, declaration, place, problems);
}

/** Notes required names that no property declares, which are most likely typing errors. */
function checkRequired(
  schema: Readonly<Record<string, unknown>>,
  declaration: Declaration,
  place: Place,
  problems: Problems,
): void {
  const { properties, required } = schema;
  const isBranch = place.some((step) => ["allOf", "anyOf", "oneOf", "if", "then", "else", "not"].includes(`${step}`));
  if (isBranch || typeof properties !== "object" || properties === null || !isTexts(required)) return;
  (required as readonly string[]).forEach((name, i) => {
    if (Object.hasOwn(properties, name)) return;
    problems.add(declaration, [...place, "required", i], `"${name}" is required but not among the properties`);
  });
}
