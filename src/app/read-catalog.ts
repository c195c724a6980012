import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkFacets, type DeclaredModel } from "../core/catalog/check-facets.js";
import { compileModel } from "../core/catalog/compile-model.js";
import { compileUnits } from "../core/catalog/compile-units.js";
import { compileVocabulary } from "../core/catalog/compile-vocabulary.js";
import {
  CatalogError,
  type Declaration,
  Problems,
  parseJsonDeclaration,
  parseYamlDeclaration,
} from "../core/catalog/declaration.js";
import type { Catalog, Vocabulary } from "../core/catalog/types.js";

export const MODEL_FILE = "model.yaml";
export const SCHEMA_FILE = "metadata.schema.json";
export const EXAMPLE_FILE = "example.json";
export const VOCABULARY_FILE = "vocabulary.yaml";
export const STARTER_FILE = "starter.jsonl";
const SHARED_SUFFIX = ".schema.json";
const UNITS_FILE = "units.yaml";
const PARTS = ["models", "vocabularies", "shared"];

/** The catalog that the package brings: beside src/ in a checkout, beside dist/ where it is installed. */
export const BUILT_IN_CATALOG = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "catalog");

/**
 * Reads, checks and compiles catalog folders; the built-in one is read only where it is among them. A model, a
 * vocabulary, a shared file or a unit of a later folder takes the place of the one of the same name in an earlier one.
 *
 * @throws CatalogError that lists every mistake as `file:line: reason`
 */
export function readCatalog(folders: readonly string[]): Catalog {
  const problems = new Problems();
  const catalog = compileCatalog(folders, problems);
  if (problems.list.length > 0) throw new CatalogError(problems.list);
  return catalog;
}

/** As above. Mistakes go to `problems`; what comes back is only to be served without any. */
export function compileCatalog(folders: readonly string[], problems: Problems): Catalog {
  for (const folder of folders) checkFolder(folder, problems);
  const shared = readShared(folders, problems);
  const units = compileUnits(readUnits(folders, problems), problems);

  const vocabularies = new Map<string, Vocabulary>();
  for (const [name, folder] of findFolders(folders, "vocabularies")) {
    checkFiles(folder, [VOCABULARY_FILE, STARTER_FILE], problems);
    const declaration = read(join(folder, VOCABULARY_FILE), problems);
    const starter = join(folder, STARTER_FILE);
    const compiled = declaration && compileVocabulary(declaration, name, units, problems, existing(starter));
    if (compiled !== undefined) vocabularies.set(name, compiled);
  }

  const models: DeclaredModel[] = [];
  for (const [name, folder] of findFolders(folders, "models")) {
    checkFiles(folder, [MODEL_FILE, SCHEMA_FILE, EXAMPLE_FILE], problems);
    const model = read(join(folder, MODEL_FILE), problems);
    const schema = read(join(folder, SCHEMA_FILE), problems);
    const example = existsSync(join(folder, EXAMPLE_FILE)) ? read(join(folder, EXAMPLE_FILE), problems) : undefined;
    if (model === undefined || schema === undefined) continue;
    const source = { folder: name, model, schema, ...(example === undefined ? {} : { example }), shared, units };
    const compiled = compileModel(source, vocabularies, problems);
    if (compiled !== undefined) models.push({ model: compiled, declaration: model });
  }
  checkFacets(models, problems);
  return { models: new Map(models.map(({ model }) => [model.name, model])), vocabularies };
}

function checkFolder(folder: string, problems: Problems): void {
  if (!isFolder(folder)) problems.add(unread(folder), [], "this catalog folder does not exist");
  else if (!existsSync(join(folder, UNITS_FILE)) && !PARTS.some((part) => isFolder(join(folder, part)))) {
    const parts = [...PARTS, UNITS_FILE].join(", ");
    problems.add(unread(folder), [], `a catalog folder must contain some of ${parts}; this one contains none`);
  }
}

function readUnits(folders: readonly string[], problems: Problems): readonly Declaration[] {
  const files = folders.map((folder) => join(folder, UNITS_FILE)).filter((file) => existsSync(file));
  return files.flatMap((file) => read(file, problems) ?? []);
}

/** Folders of models or vocabularies by name, alphabetical; of the same name the last one counts. */
export function findFolders(
  folders: readonly string[],
  part: "models" | "vocabularies",
): readonly (readonly [string, string])[] {
  const found = new Map<string, string>();
  for (const folder of folders.map((each) => join(each, part)).filter(isFolder)) {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(".") && isFolder(join(folder, name))) found.set(name, join(folder, name));
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

function readShared(folders: readonly string[], problems: Problems): ReadonlyMap<string, Declaration> {
  const files = new Map<string, string>();
  for (const folder of folders.map((each) => join(each, "shared")).filter(isFolder)) {
    for (const file of readdirSync(folder)) {
      if (file.endsWith(SHARED_SUFFIX)) files.set(file.slice(0, -SHARED_SUFFIX.length), join(folder, file));
    }
  }
  const read_ = [...files].map(([name, file]) => [name, read(file, problems)] as const);
  return new Map(read_.flatMap(([name, declaration]) => (declaration === undefined ? [] : [[name, declaration]])));
}

/** A declaration under a wrong name would silently not count. */
function checkFiles(folder: string, known: readonly string[], problems: Problems): void {
  for (const file of readdirSync(folder)) {
    if (!/\.(ya?ml|jsonl?|ndjson)$/.test(file) || known.includes(file)) continue;
    problems.add(
      unread(join(folder, file)),
      [],
      `files with this name are not read here; known names are ${known.join(", ")}`,
    );
  }
}

function read(file: string, problems: Problems): Declaration | undefined {
  if (!existsSync(file)) {
    problems.add(unread(file), [], "this file is missing");
    return undefined;
  }
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  const parse = file.endsWith(".json") ? parseJsonDeclaration : parseYamlDeclaration;
  return parse(file, text, problems);
}

const unread = (file: string): Declaration => ({ file, value: undefined, lineOf: () => 1 });
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
const existing = (file: string): string | undefined => (existsSync(file) ? file : undefined);
