import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { checkFacets, type DeclaredModel } from "../../core/catalog/compile-facet.js";
import { checkBase, compileModel, type ModelSource } from "../../core/catalog/compile-model.js";
import { compileVocabulary } from "../../core/catalog/compile-vocabulary.js";
import type { Catalog, Vocabulary } from "../../core/catalog/types.js";
import {
  CatalogError,
  type Declaration,
  Problems,
  parseJsonDeclaration,
  parseYamlDeclaration,
} from "../../core/declarations/declaration.js";
import {
  type Extendable,
  type ExtendedDeclaration,
  extendDeclaration,
} from "../../core/declarations/extend-declaration.js";
import { compileUnits } from "../../core/units/units.js";
import { PACKAGE_ROOT } from "./package-root.js";

const MODEL_FILE = "model.yaml";
const SCHEMA_FILE = "metadata.schema.json";
/** Name of the file with the example of a model. */
export const EXAMPLE_FILE = "example.json";
/** Name of the file with the declaration of a vocabulary. */
export const VOCABULARY_FILE = "vocabulary.yaml";
/** Name of the file with the starter terms of a vocabulary. */
export const STARTER_FILE = "starter.jsonl";
const SHARED_SUFFIX = ".schema.json";
const BASE_SUFFIX = ".model.yaml";
const UNITS_FILE = "units.yaml";
const PARTS = ["models", "vocabularies", "shared"];

/** Folder of the built-in catalog: next to src/ in a checkout, next to dist/ in an installed package. */
export const BUILT_IN_CATALOG = join(PACKAGE_ROOT, "catalog");

/** Files of a model, its own or inherited, with the ancestors of its declaration. */
export interface ModelFiles extends ModelSource {
  readonly model: ExtendedDeclaration;
}

/** A catalog with its files. */
export interface CompiledCatalog extends Catalog {
  /** Files of each model, by its name. */
  readonly sources: ReadonlyMap<string, ModelFiles>;
}

/**
 * Reads, checks and compiles catalog folders; the built-in one must be among them to be read. A model, vocabulary,
 * shared file or unit of a later folder replaces the one of the same name in an earlier folder.
 *
 * @throws CatalogError that lists every mistake as `file:line: reason`
 */
export function readCatalog(folders: readonly string[]): Catalog {
  const problems = new Problems();
  const { models, vocabularies } = compileCatalog(folders, problems);
  if (problems.list.length > 0) throw new CatalogError(problems.list);
  return { models, vocabularies };
}

/** Like `readCatalog`, but adds mistakes to `problems`. If there are any, the result must not be served. */
export function compileCatalog(folders: readonly string[], problems: Problems): CompiledCatalog {
  for (const folder of folders) checkFolder(folder, problems);
  const shared = readShared(folders, problems);
  const units = compileUnits(readUnits(folders, problems), problems);

  const vocabularies = new Map<string, Vocabulary>();
  for (const [name, folder] of findFolders(folders, "vocabularies")) {
    checkFiles(folder, [VOCABULARY_FILE, STARTER_FILE], problems);
    const declaration = readDeclaration(join(folder, VOCABULARY_FILE), problems);
    const starter = join(folder, STARTER_FILE);
    const compiled = declaration && compileVocabulary(declaration, name, units, problems, pathIfExists(starter));
    if (compiled !== undefined) vocabularies.set(name, compiled);
  }

  const readOnce = makeReader(problems);
  const extendable = findExtendable(folders, readOnce, problems);
  const models: DeclaredModel[] = [];
  const sources = new Map<string, ModelFiles>();
  for (const [name, folder] of findFolders(folders, "models")) {
    checkFiles(folder, [MODEL_FILE, SCHEMA_FILE, EXAMPLE_FILE], problems);
    const ownDeclaration = readOnce(join(folder, MODEL_FILE));
    const model = ownDeclaration && extendDeclaration(name, ownDeclaration, extendable, problems);
    const schemas = model && readSchema(folder, model, readOnce);
    if (model === undefined || schemas === undefined) continue;
    const source = { folder: name, model, ...schemas, shared, units };
    sources.set(name, source);
    const compiled = compileModel(source, vocabularies, problems);
    if (compiled !== undefined) models.push({ model: compiled, declaration: source.model });
  }
  checkFacets(models, problems);
  return { models: new Map(models.map(({ model }) => [model.name, model])), vocabularies, sources };
}

/** Reads the schema and the example of a model: its own, or without a schema those of the first model it extends. */
function readSchema(
  folder: string,
  { ancestors }: ExtendedDeclaration,
  readOnce: Reader,
): Pick<ModelSource, "schema" | "example"> | undefined {
  const ancestorFolders = ancestors
    .filter(({ file }) => basename(file) === MODEL_FILE)
    .map(({ file }) => dirname(file));
  const schemaFolder = [folder, ...ancestorFolders].find((each) => existsSync(join(each, SCHEMA_FILE))) ?? folder;
  const schema = readOnce(join(schemaFolder, SCHEMA_FILE));
  const examples = [folder, schemaFolder].map((each) => join(each, EXAMPLE_FILE));
  const file = examples.find((each) => existsSync(each));
  const example = file === undefined ? undefined : readOnce(file);
  return schema && { schema, example };
}

/** Finds everything that a declaration can extend: the bases in `shared/`, which this checks, and the models. */
function findExtendable(folders: readonly string[], readOnce: Reader, problems: Problems): Extendable {
  const files = new Map<string, string[]>();
  const add = (name: string, file: string): void => void files.set(name, [...(files.get(name) ?? []), file]);
  for (const folder of folders) {
    for (const [name, file] of sharedFiles(folder, BASE_SUFFIX)) add(name, file);
    for (const [name, path] of findFolders([folder], "models")) add(name, join(path, MODEL_FILE));
  }
  const extendable: Extendable = {
    names: () => [...files.keys()],
    find: (name, from) => {
      const candidates = files.get(name) ?? [];
      const index = candidates.indexOf(from.file);
      const file = index === -1 ? candidates.at(-1) : candidates[index - 1];
      // The mistake of an unreadable file is reported once, by its reader.
      return file === undefined ? undefined : (readOnce(file) ?? emptyDeclaration(file));
    },
  };
  for (const [name, candidates] of files) {
    const file = candidates.findLast((each) => each.endsWith(BASE_SUFFIX));
    const base = file === undefined ? undefined : readOnce(file);
    if (base === undefined) continue;
    const isModel = candidates.some((each) => !each.endsWith(BASE_SUFFIX));
    if (isModel) problems.add(base, [], `"${name}" is the name of a model; a base needs another name`);
    checkBase(extendDeclaration(name, base, extendable, problems), problems);
  }
  return extendable;
}

type Reader = (file: string) => Declaration | undefined;

/** Returns a function that reads each file once, so that its mistakes are reported once. */
function makeReader(problems: Problems): Reader {
  const declarations = new Map<string, Declaration | undefined>();
  return (file) => {
    if (!declarations.has(file)) declarations.set(file, readDeclaration(file, problems));
    return declarations.get(file);
  };
}

function checkFolder(folder: string, problems: Problems): void {
  if (!isFolder(folder)) problems.add(emptyDeclaration(folder), [], "this catalog folder does not exist");
  else if (!existsSync(join(folder, UNITS_FILE)) && !PARTS.some((part) => isFolder(join(folder, part)))) {
    const parts = [...PARTS, UNITS_FILE].join(", ");
    problems.add(
      emptyDeclaration(folder),
      [],
      `a catalog folder must contain some of ${parts}; this one contains none`,
    );
  }
}

function readUnits(folders: readonly string[], problems: Problems): readonly Declaration[] {
  const files = folders.map((folder) => join(folder, UNITS_FILE)).filter((file) => existsSync(file));
  return files.flatMap((file) => readDeclaration(file, problems) ?? []);
}

/** Returns the folders of models or vocabularies, sorted by name. Of folders with the same name the last one counts. */
export function findFolders(
  folders: readonly string[],
  part: "models" | "vocabularies",
): readonly (readonly [string, string])[] {
  const paths = new Map<string, string>();
  for (const folder of folders.map((each) => join(each, part)).filter(isFolder)) {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(".") && isFolder(join(folder, name))) paths.set(name, join(folder, name));
    }
  }
  return [...paths].sort(([a], [b]) => (a < b ? -1 : 1));
}

function readShared(folders: readonly string[], problems: Problems): ReadonlyMap<string, Declaration> {
  const files = new Map(folders.flatMap((folder) => sharedFiles(folder, SHARED_SUFFIX)));
  const declarations = [...files].map(([name, file]) => [name, readDeclaration(file, problems)] as const);
  return new Map(
    declarations.flatMap(([name, declaration]) => (declaration === undefined ? [] : [[name, declaration]])),
  );
}

/** Returns the files of `shared/` with this suffix, each with its name without the suffix. */
function sharedFiles(folder: string, suffix: string): readonly (readonly [string, string])[] {
  const shared = join(folder, "shared");
  const files = isFolder(shared) ? readdirSync(shared).filter((file) => file.endsWith(suffix)) : [];
  return files.map((file) => [file.slice(0, -suffix.length), join(shared, file)] as const);
}

/** Reports files that are not read because of their names: an author might not notice. */
function checkFiles(folder: string, knownNames: readonly string[], problems: Problems): void {
  for (const file of readdirSync(folder)) {
    if (!/\.(ya?ml|jsonl?|ndjson)$/.test(file) || knownNames.includes(file)) continue;
    problems.add(
      emptyDeclaration(join(folder, file)),
      [],
      `files with this name are not read here; known names are ${knownNames.join(", ")}`,
    );
  }
}

/** Reads a file. Returns undefined after adding its mistake to `problems` if it is missing or not valid. */
function readDeclaration(file: string, problems: Problems): Declaration | undefined {
  if (!existsSync(file)) {
    problems.add(emptyDeclaration(file), [], "this file is missing");
    return undefined;
  }
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  const parse = file.endsWith(".json") ? parseJsonDeclaration : parseYamlDeclaration;
  return parse(file, text, problems);
}

/** Returns a declaration without content, for messages about a file that could not be read. */
const emptyDeclaration = (file: string): Declaration => ({ file, value: undefined, locate: () => ({ file, line: 1 }) });
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
const pathIfExists = (file: string): string | undefined => (existsSync(file) ? file : undefined);
