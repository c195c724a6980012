/**
 * Texts of a new model that extends another declaration. A model that extends a model is a copy under another name. A
 * model that extends a base takes the parts that the base uses from a model that already extends it, the donor, and
 * adds a first part of its own. Both work without changes.
 */

import { inWords } from "../../core/catalog/field-tree.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import type { ModelFiles } from "../composition/read-catalog.js";

type Files = Readonly<Record<string, string>>;

/** Returns the files of a new model that extends a model. */
export function skeletonExtendingModel(name: string, extendedName: string): Files {
  const line = `extends: ${extendedName} # Its schema and example apply until this folder has its own.`;
  return { "model.yaml": `${writeHead(name)}${line}\n\n${FIELDS}` };
}

/**
 * Returns the files of a new model that extends a base.
 *
 * @param donor a model that extends the base
 */
export function skeletonExtendingBase(name: string, base: string, donor: ModelFiles): Files {
  const parts = inheritedParts(donor);
  const expected = objectAt(donor.model.value, "expected");
  const ownPart = parts.includes(OWN_PART) ? `${name}_parameters` : OWN_PART;
  const lines = Object.keys(expected).map((path) => `  ${path}: ${inWords(name)}\n`);
  const head = `${writeHead(name)}extends: ${base} # \`bindery catalog show ${name}\` lists what it declares.\n`;
  const expectedLine = "expected: # The schema allows other values, but each causes a warning.\n";
  const field = `  temperature: { path: metadata.${ownPart}.temperature, quantity: temperature }\n`;
  const model = `${head}${lines.length === 0 ? "" : expectedLine + lines.join("")}\n${FIELDS}${field}`;
  const schema = makeSchema(name, ownPart, parts, donor.schema.value);
  const donorMetadata = objectAt(donor.example?.value, "metadata");
  const metadata = { ...pick(donorMetadata, parts), [ownPart]: { temperature: { value: 298.15, unit: "K" } } };
  const example = {
    metadata: Object.keys(expected).reduce((body, path) => setText(body, path, inWords(name)), metadata),
  };
  return { "model.yaml": model, "metadata.schema.json": toText(schema), "example.json": toText(example) };
}

/** The first part of the new model, unless the base uses a part of this name. */
const OWN_PART = "method_specific_parameters";

const FIELDS = `# Additional fields. Keys here override those of an inherited field (\`grant: { facet: Project }\`);
# \`grant: null\` leaves it out.
fields:
`;

const writeHead = (name: string): string => `name: ${name} # The name of the folder.
title: ${inWords(name)}
description: One line about the content of a record.
version: 1 # Informs readers: raise it when the schema changes.
`;

/** Returns the names of the properties of `metadata` that contain the inherited fields of a model. */
function inheritedParts({ model }: ModelFiles): readonly string[] {
  const parts = Object.entries(objectAt(model.value, "fields")).flatMap(([name, field]) => {
    const isInherited = model.locate(["fields", name]).inheritedBy !== undefined;
    const paths = isInherited && isObject(field) ? [field.path ?? []].flat() : [];
    return paths.map((path) => String(path).split(".")[1] ?? "");
  });
  return [...new Set(parts)];
}

/** Makes the schema: the properties that the base uses, from the donor's schema, and the model's own part. */
function makeSchema(name: string, ownPart: string, parts: readonly string[], donorSchema: unknown): JsonObject {
  const TEMPERATURE = {
    title: "Temperature",
    description: "Temperature of the sample during the measurement.",
    type: "object",
    required: ["value", "unit"],
    properties: {
      value: { title: "Value", description: "The number, in the given unit.", type: "number", minimum: 0 },
      unit: { title: "Unit", description: "The unit of the number.", type: "string", enum: ["K"] },
    },
  };
  const part = {
    title: inWords(ownPart),
    description: "Settings and results of the measurement.",
    type: "object",
    required: ["temperature"],
    properties: { temperature: TEMPERATURE },
  };
  const properties = pick(objectAt(donorSchema, "properties"), parts);
  const usesDefinitions = JSON.stringify(properties).includes('"#/$defs/');
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: inWords(name),
    type: "object",
    required: [...parts, ownPart],
    properties: { ...properties, [ownPart]: part },
    ...(usesDefinitions ? { $defs: objectAt(donorSchema, "$defs") } : {}),
  };
}

/** Returns a member that is an object, or an empty object if there is none. */
function objectAt(value: unknown, key: string): JsonObject {
  const inner = isObject(value) ? value[key] : undefined;
  return isObject(inner) ? inner : {};
}

const pick = (object: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));

/** Returns the metadata with a text at a path that passes through no list. */
function setText(metadata: JsonObject, path: string, text: string): JsonObject {
  const replace = (value: Json, [name, ...rest]: readonly string[]): Json =>
    name === undefined || !isObject(value) ? text : { ...value, [name]: replace(value[name] ?? {}, rest) };
  return replace(metadata, path.split(".").slice(1)) as JsonObject;
}

const toText = (value: JsonObject): string => `${JSON.stringify(value, null, 2)}\n`;
