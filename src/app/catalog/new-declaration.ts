import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MODEL_NAME } from "../../core/catalog/compile-model.js";
import { VOCABULARY_NAME } from "../../core/catalog/compile-vocabulary.js";
import { CatalogError, Problems } from "../../core/declarations/declaration.js";
import { BUILT_IN_CATALOG, compileCatalog } from "../composition/read-catalog.js";
import { withBuiltIn } from "./check-catalog.js";
import { skeletonExtendingBase, skeletonExtendingModel } from "./skeleton-extending.js";
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
