import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MODEL_NAME } from "../../core/catalog/compile-model.js";
import { VOCABULARY_NAME } from "../../core/catalog/compile-vocabulary.js";
import { titleFromName } from "../../core/catalog/field-tree.js";
import { CatalogError, Problems } from "../../core/declarations/declaration.js";
import { isObject, type Json, type JsonObject } from "../../core/json.js";
import { BUILT_IN_CATALOG, compileCatalog, type ModelFiles } from "../composition/read-catalog.js";
import { withBuiltIn } from "./check-catalog.js";
import { modelSkeleton, vocabularySkeleton } from "./skeletons.js";

/** Kinds of declarations: catalog folder, name pattern, description of the pattern, and the initial files. */
const KINDS = {
  model: { part: "models", pattern: MODEL_NAME, characters: "lower-case letters and digits", makeFiles: modelSkeleton },
  vocabulary: {
    part: "vocabularies",
    pattern: VOCABULARY_NAME,
    characters: "lower-case letters, digits and _",
    makeFiles: vocabularySkeleton,
  },
} as const;

/** Advice on how to change a built-in declaration. */
const CHANGE_ADVICE: Readonly<Record<keyof typeof KINDS, (name: string, folder: string) => string>> = {
  model: (name) => `to change that model, extend it: bindery catalog new model ${name} --extends ${name}`,
  vocabulary: (_, folder) => `to change that vocabulary, copy its folder ${folder} into yours.`,
};

/** Kind of a new declaration. */
export type DeclarationKind = keyof typeof KINDS;

/**
 * Writes the files of a new model or vocabulary, which work without changes.
 *
 * @param folder the catalog folder for the files; it is created if it is missing
 * @param otherFolders further catalog folders, in which the name must be free too
 * @param extendedName for a model: the name of the base or model that it extends
 * @returns paths of the files that were written
 * @throws Error with a clear message if the name is not valid or already taken; then nothing is written
 */
export function createDeclaration(
  kind: DeclarationKind,
  name: string,
  {
    folder,
    otherFolders,
    extendedName,
  }: {
    readonly folder: string;
    readonly otherFolders: readonly string[];
    readonly extendedName?: string | undefined;
  },
): readonly string[] {
  const { part, pattern, characters, makeFiles } = KINDS[kind];
  if (!pattern.test(name)) {
    throw new Error(
      `"${name}" is not a valid name for a ${kind}: a name is a lower-case letter, followed by ${characters}.`,
    );
  }
  const builtIn = join(BUILT_IN_CATALOG, part, name);
  // Only a declaration that extends the one of the same name may use a name of an earlier folder.
  const isChange = extendedName === name;
  if (existsSync(builtIn) && !isChange) {
    const cure = `Choose another name; ${CHANGE_ADVICE[kind](name, builtIn)}`;
    throw new Error(`The built-in catalog has a ${kind} "${name}". ${cure}`);
  }
  const targetFolder = join(folder, part, name);
  const existingPath = (isChange ? [folder] : [folder, ...otherFolders])
    .map((catalogFolder) => join(catalogFolder, part, name))
    .find((path) => existsSync(path));
  if (existingPath !== undefined) throw new Error(`${existingPath} already exists; nothing was written.`);
  // An empty folder is not a valid catalog folder yet, and has nothing to extend.
  const hasModels = ["models", "shared"].some((subfolder) => existsSync(join(folder, subfolder)));
  const operatorFolders = [...otherFolders.filter((other) => other !== folder), ...(hasModels ? [folder] : [])];
  const texts = extendedName === undefined ? makeFiles(name) : makeExtendingFiles(name, extendedName, operatorFolders);
  mkdirSync(targetFolder, { recursive: true });
  return Object.entries(texts).map(([file, text]) => {
    const path = join(targetFolder, file);
    writeFileSync(path, text, { flag: "wx" });
    return path;
  });
}

/** Returns the files of a model that extends a model or base of the built-in catalog or of `operatorFolders`. */
function makeExtendingFiles(
  name: string,
  extendedName: string,
  operatorFolders: readonly string[],
): Readonly<Record<string, string>> {
  const problems = new Problems();
  const { sources } = compileCatalog(withBuiltIn(operatorFolders), problems);
  if (problems.list.length > 0) throw new CatalogError(problems.list);
  if (sources.has(extendedName)) return skeletonExtendingModel(name, extendedName);
  const donor = [...sources.values()].find(({ model }) => model.extends.includes(extendedName));
  if (donor !== undefined) return skeletonExtendingBase(name, extendedName, donor);
  const names = new Set([...sources].flatMap(([modelName, { model }]) => [modelName, ...model.extends]));
  throw new Error(`There is no base or model "${extendedName}" to extend; there are ${[...names].join(", ")}.`);
}

type Files = Readonly<Record<string, string>>;

/** Returns the files of a new model that extends a model. */
function skeletonExtendingModel(name: string, extendedName: string): Files {
  const line = `extends: ${extendedName} # Its schema and example apply until this folder has its own.`;
  return { "model.yaml": `${writeHead(name)}${line}\n\n${FIELDS}` };
}

/**
 * Returns the files of a new model that extends a base.
 *
 * @param donor a model that extends the base
 */
function skeletonExtendingBase(name: string, base: string, donor: ModelFiles): Files {
  const parts = inheritedParts(donor);
  const expected = objectAt(donor.model.value, "expected");
  const ownPart = parts.includes(OWN_PART) ? `${name}_parameters` : OWN_PART;
  const lines = Object.keys(expected).map((path) => `  ${path}: ${titleFromName(name)}\n`);
  const head = `${writeHead(name)}extends: ${base} # \`bindery catalog show ${name}\` lists what it declares.\n`;
  const expectedLine = "expected: # The schema allows other values, but each causes a warning.\n";
  const field = `  temperature: { path: metadata.${ownPart}.temperature, quantity: temperature }\n`;
  const model = `${head}${lines.length === 0 ? "" : expectedLine + lines.join("")}\n${FIELDS}${field}`;
  const schema = makeSchema(name, ownPart, parts, donor.schema.value);
  const donorMetadata = objectAt(donor.example?.value, "metadata");
  const metadata = { ...pick(donorMetadata, parts), [ownPart]: { temperature: { value: 298.15, unit: "K" } } };
  const example = {
    metadata: Object.keys(expected).reduce((body, path) => setText(body, path, titleFromName(name)), metadata),
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
title: ${titleFromName(name)}
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
    title: titleFromName(ownPart),
    description: "Settings and results of the measurement.",
    type: "object",
    required: ["temperature"],
    properties: { temperature: TEMPERATURE },
  };
  const properties = pick(objectAt(donorSchema, "properties"), parts);
  const usesDefinitions = JSON.stringify(properties).includes('"#/$defs/');
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: titleFromName(name),
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
