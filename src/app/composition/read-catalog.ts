import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { checkFacets, type DeclaredModel } from "../../core/catalog/compile-facet.js";
import { checkBase, compileModel, type ModelSource } from "../../core/catalog/compile-model.js";
import { compileUnits } from "../../core/catalog/compile-units.js";
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
import { PACKAGE_ROOT } from "./package-root.js";

const MODEL_FILE = "model.yaml";
const SCHEMA_FILE = "metadata.schema.json";
export const EXAMPLE_FILE = "example.json";
export const VOCABULARY_FILE = "vocabulary.yaml";
export const STARTER_FILE = "starter.jsonl";
const SHARED_SUFFIX = ".schema.json";
const BASE_SUFFIX = ".model.yaml";
const UNITS_FILE = "units.yaml";
const PARTS = ["models", "vocabularies", "shared"];

/** The catalog that the package brings: beside src/ in a checkout, beside dist/ where it is installed. */
export const BUILT_IN_CATALOG = join(PACKAGE_ROOT, "catalog");

/** The files of a model, its own or inherited, and what its declaration extends. */
export interface ReadModel extends ModelSource {
  readonly model: ExtendedDeclaration;
}

/** A catalog with the files that it was made of. */
export interface CompiledCatalog extends Catalog {
  readonly sources: ReadonlyMap<string, ReadModel>;
}

/**
 * Reads, checks and compiles catalog folders; the built-in one is read only where it is among them. A model, a
 * vocabulary, a shared file or a unit of a later folder takes the place of the one of the same name in an earlier one.
 *
 * @throws CatalogError that lists every mistake as `file:line: reason`
 */
export function readCatalog(folders: readonly string[]): Catalog {
  const problems = new Problems();
  const { models, vocabularies } = compileCatalog(folders, problems);
  if (problems.list.length > 0) throw new CatalogError(problems.list);
  return { models, vocabularies };
}

/** As above. Mistakes go to `problems`; what comes back is only to be served without any. */
export function compileCatalog(folders: readonly string[], problems: Problems): CompiledCatalog {
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

  const readOnce = makeReader(problems);
  const extendable = findExtendable(folders, readOnce, problems);
  const models: DeclaredModel[] = [];
  const sources = new Map<string, ReadModel>();
  for (const [name, folder] of findFolders(folders, "models")) {
    checkFiles(folder, [MODEL_FILE, SCHEMA_FILE, EXAMPLE_FILE], problems);
    const own = readOnce(join(folder, MODEL_FILE));
    const model = own && extendDeclaration(name, own, extendable, problems);
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

/** The schema and the example of a model. One without a schema has those of the first model that it extends. */
function readSchema(
  folder: string,
  { ancestors }: ExtendedDeclaration,
  readOnce: Reader,
): Pick<ModelSource, "schema" | "example"> | undefined {
  const above = ancestors.filter(({ file }) => basename(file) === MODEL_FILE).map(({ file }) => dirname(file));
  const folderOfSchema = [folder, ...above].find((each) => existsSync(join(each, SCHEMA_FILE))) ?? folder;
  const schema = readOnce(join(folderOfSchema, SCHEMA_FILE));
  const examples = [folder, folderOfSchema].map((each) => join(each, EXAMPLE_FILE));
  const file = examples.find((each) => existsSync(each));
  const example = file === undefined ? undefined : readOnce(file);
  return schema && { schema, ...(example === undefined ? {} : { example }) };
}

/** All that a declaration can extend: the bases in `shared/`, which are checked here, and the models. */
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
      const found = files.get(name) ?? [];
      const file = found.includes(from.file) ? found[found.indexOf(from.file) - 1] : found.at(-1);
      // A file that cannot be read is a mistake of its own.
      return file === undefined ? undefined : (readOnce(file) ?? unread(file));
    },
  };
  for (const [name, found] of files) {
    const file = found.findLast((each) => each.endsWith(BASE_SUFFIX));
    const base = file === undefined ? undefined : readOnce(file);
    if (base === undefined) continue;
    const isModel = found.some((each) => !each.endsWith(BASE_SUFFIX));
    if (isModel) problems.add(base, [], `"${name}" is the name of a model; a base needs another name`);
    checkBase(extendDeclaration(name, base, extendable, problems), problems);
  }
  return extendable;
}

type Reader = (file: string) => Declaration | undefined;

/** Reads each file once, so that its mistakes are noted once. */
function makeReader(problems: Problems): Reader {
  const declarations = new Map<string, Declaration | undefined>();
  return (file) => {
    if (!declarations.has(file)) declarations.set(file, read(file, problems));
    return declarations.get(file);
  };
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
  const files = new Map(folders.flatMap((folder) => sharedFiles(folder, SHARED_SUFFIX)));
  const read_ = [...files].map(([name, file]) => [name, read(file, problems)] as const);
  return new Map(read_.flatMap(([name, declaration]) => (declaration === undefined ? [] : [[name, declaration]])));
}

/** Files of `shared/` that end so, by their name without it. */
function sharedFiles(folder: string, suffix: string): readonly (readonly [string, string])[] {
  const shared = join(folder, "shared");
  const files = isFolder(shared) ? readdirSync(shared).filter((file) => file.endsWith(suffix)) : [];
  return files.map((file) => [file.slice(0, -suffix.length), join(shared, file)] as const);
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

const unread = (file: string): Declaration => ({ file, value: undefined, locate: () => ({ file, line: 1 }) });
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
const existing = (file: string): string | undefined => (existsSync(file) ? file : undefined);
