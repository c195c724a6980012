import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MODEL_NAME } from "../../core/catalog/compile-model.js";
import { VOCABULARY_NAME } from "../../core/catalog/compile-vocabulary.js";
import { CatalogError, Problems } from "../../core/declarations/declaration.js";
import { BUILT_IN_CATALOG, compileCatalog } from "../composition/read-catalog.js";
import { withBuiltIn } from "./check-catalog.js";
import { skeletonOfBase, skeletonOfModel } from "./skeleton-extending.js";
import { skeletonModel } from "./skeleton-model.js";
import { skeletonVocabulary } from "./skeleton-vocabulary.js";

const KINDS = {
  model: { part: "models", rule: MODEL_NAME, says: "small letters and digits", files: skeletonModel },
  vocabulary: {
    part: "vocabularies",
    rule: VOCABULARY_NAME,
    says: "small letters, digits and _",
    files: skeletonVocabulary,
  },
} as const;

/** How to change what is built in. */
const CHANGE: Readonly<Record<keyof typeof KINDS, (name: string, folder: string) => string>> = {
  model: (name) => `to change that model, extend it: bindery catalog new model ${name} --extends ${name}`,
  vocabulary: (_, folder) => `to change that vocabulary, copy its folder ${folder} into yours.`,
};

export type DeclarationKind = keyof typeof KINDS;

/**
 * Writes the files of a new model or vocabulary, which work as they stand.
 *
 * @param folder the catalog folder that gets it; it is made where it is missing
 * @param others further catalog folders, which may not have the name either
 * @param extended of a model: the base or the model that it extends
 * @returns the files that were written
 * @throws Error with a clear word where the name cannot be, or is taken; then nothing was written
 */
export function newDeclaration(
  kind: DeclarationKind,
  name: string,
  {
    folder,
    others,
    extended,
  }: { readonly folder: string; readonly others: readonly string[]; readonly extended?: string | undefined },
): readonly string[] {
  const { part, rule, says, files } = KINDS[kind];
  if (!rule.test(name)) throw new Error(`"${name}" cannot name a ${kind}: a small letter, then ${says}.`);
  const builtIn = join(BUILT_IN_CATALOG, part, name);
  // Only what extends the declaration of its own name may have the name of one in an earlier folder.
  const isChange = extended === name;
  if (existsSync(builtIn) && !isChange) {
    const cure = `Choose another name; ${CHANGE[kind](name, builtIn)}`;
    throw new Error(`The built-in catalog has a ${kind} "${name}". ${cure}`);
  }
  const place = join(folder, part, name);
  const taken = (isChange ? [folder] : [folder, ...others])
    .map((each) => join(each, part, name))
    .find((path) => existsSync(path));
  if (taken !== undefined) throw new Error(`${taken} already exists; nothing was written.`);
  // The folder may be empty yet; then it has nothing to extend either.
  const isFilled = ["models", "shared"].some((each) => existsSync(join(folder, each)));
  const read = [...others.filter((each) => each !== folder), ...(isFilled ? [folder] : [])];
  const written = extended === undefined ? files(name) : extendingFiles(name, extended, read);
  mkdirSync(place, { recursive: true });
  return Object.entries(written).map(([file, text]) => {
    const path = join(place, file);
    writeFileSync(path, text, { flag: "wx" });
    return path;
  });
}

/** The files of a model that extends a model or a base of these catalog folders. */
function extendingFiles(name: string, extended: string, folders: readonly string[]): Readonly<Record<string, string>> {
  const problems = new Problems();
  const { sources } = compileCatalog(withBuiltIn(folders), problems);
  if (problems.list.length > 0) throw new CatalogError(problems.list);
  if (sources.has(extended)) return skeletonOfModel(name, extended);
  const donor = [...sources.values()].find(({ model }) => model.extends.includes(extended));
  if (donor !== undefined) return skeletonOfBase(name, extended, donor);
  const known = new Set([...sources].flatMap(([each, { model }]) => [each, ...model.extends]));
  throw new Error(`There is no base or model "${extended}" that models extend; known are ${[...known].join(", ")}.`);
}
