/**
 * A new model that extends another declaration, as text. One that extends a model is that model under another name. One
 * that extends a base takes the parts of which the base speaks from a model that extends the base already, and has a
 * part of its own to begin with. Both work as they stand.
 */

import { inWords } from "../../core/catalog/field-tree.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import type { ReadModel } from "../composition/read-catalog.js";

type Files = Readonly<Record<string, string>>;

/** The files of a new model that extends a model. */
export function skeletonOfModel(name: string, extended: string): Files {
  const about = `extends: ${extended} # Its schema and its example hold here, too, until this folder has its own.`;
  return { "model.yaml": `${headOf(name)}${about}\n\n${FIELDS}` };
}

/**
 * The files of a new model that extends a base.
 *
 * @param donor a model that extends the base
 */
export function skeletonOfBase(name: string, base: string, donor: ReadModel): Files {
  const parts = inheritedParts(donor);
  const expected = objectAt(donor.model.value, "expected");
  const own = parts.includes(OWN_PART) ? `${name}_parameters` : OWN_PART;
  const lines = Object.keys(expected).map((path) => `  ${path}: ${inWords(name)}\n`);
  const head = `${headOf(name)}extends: ${base} # \`bindery catalog show ${name}\` lists what it declares.\n`;
  const warned = "expected: # Another value, which the schema allows for other models, is warned of.\n";
  const field = `  temperature: { path: metadata.${own}.temperature, quantity: temperature }\n`;
  const model = `${head}${lines.length === 0 ? "" : warned + lines.join("")}\n${FIELDS}${field}`;
  const schema = schemaOf(name, own, parts, donor.schema.value);
  const shown = objectAt(donor.example?.value, "metadata");
  const metadata = { ...pick(shown, parts), [own]: { temperature: { value: 298.15, unit: "K" } } };
  const example = { metadata: Object.keys(expected).reduce((body, path) => put(body, path, inWords(name)), metadata) };
  return { "model.yaml": model, "metadata.schema.json": toText(schema), "example.json": toText(example) };
}

const OWN_PART = "method_specific_parameters";

const FIELDS = `# Fields in addition. An inherited field is changed key by key (\`grant: { facet: Project }\`).
# \`grant: null\` leaves it out.
fields:
`;

const headOf = (name: string): string => `name: ${name} # As the folder.
title: ${inWords(name)}
description: What a record of this model says, in one line.
version: 1 # For people: raise it when the schema changes.
`;

/** Names of the properties of \`metadata\` in which the inherited fields of a model are. */
function inheritedParts({ model }: ReadModel): readonly string[] {
  const parts = Object.entries(objectAt(model.value, "fields")).flatMap(([name, field]) => {
    const isInherited = model.locate(["fields", name]).inheritedBy !== undefined;
    const paths = isInherited && isObject(field) ? [field.path ?? []].flat() : [];
    return paths.map((path) => String(path).split(".")[1] ?? "");
  });
  return [...new Set(parts)];
}

function schemaOf(name: string, own: string, parts: readonly string[], donor: unknown): JsonObject {
  const TEMPERATURE = {
    title: "Temperature",
    description: "The temperature of the sample while it was measured.",
    type: "object",
    required: ["value", "unit"],
    properties: {
      value: { title: "Value", description: "The number, in the given unit.", type: "number", minimum: 0 },
      unit: { title: "Unit", description: "The unit of the number.", type: "string", enum: ["K"] },
    },
  };
  const part = {
    title: inWords(own),
    description: "The settings of the method, and what was measured.",
    type: "object",
    required: ["temperature"],
    properties: { temperature: TEMPERATURE },
  };
  const properties = pick(objectAt(donor, "properties"), parts);
  const isOwnUsed = JSON.stringify(properties).includes('"#/$defs/');
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: inWords(name),
    type: "object",
    required: [...parts, own],
    properties: { ...properties, [own]: part },
    ...(isOwnUsed ? { $defs: objectAt(donor, "$defs") } : {}),
  };
}

function objectAt(value: unknown, key: string): JsonObject {
  const inner = isObject(value) ? value[key] : undefined;
  return isObject(inner) ? inner : {};
}

const pick = (object: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));

/** The metadata with a text at a path, which leads through no list. */
function put(metadata: JsonObject, path: string, text: string): JsonObject {
  const replace = (value: Json, [name, ...rest]: readonly string[]): Json =>
    name === undefined || !isObject(value) ? text : { ...value, [name]: replace(value[name] ?? {}, rest) };
  return replace(metadata, path.split(".").slice(1)) as JsonObject;
}

const toText = (value: JsonObject): string => `${JSON.stringify(value, null, 2)}\n`;
