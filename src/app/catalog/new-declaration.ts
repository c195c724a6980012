import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MODEL_NAME } from "../../core/catalog/compile-model.js";
import { VOCABULARY_NAME } from "../../core/catalog/compile-vocabulary.js";
import { BUILT_IN_CATALOG } from "../composition/read-catalog.js";
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

export type DeclarationKind = keyof typeof KINDS;

/**
 * Writes the files of a new model or vocabulary, which work as they stand.
 *
 * @param folder the catalog folder that gets it; it is made where it is missing
 * @param others further catalog folders, which may not have the name either
 * @returns the files that were written
 * @throws Error with a clear word where the name cannot be, or is taken; then nothing was written
 */
export function newDeclaration(
  kind: DeclarationKind,
  name: string,
  { folder, others }: { readonly folder: string; readonly others: readonly string[] },
): readonly string[] {
  const { part, rule, says, files } = KINDS[kind];
  if (!rule.test(name)) throw new Error(`"${name}" cannot name a ${kind}: a small letter, then ${says}.`);
  const builtIn = join(BUILT_IN_CATALOG, part, name);
  if (existsSync(builtIn)) {
    const cure = `Choose another name; to change that ${kind}, copy its folder ${builtIn} into yours.`;
    throw new Error(`The built-in catalog has a ${kind} "${name}". ${cure}`);
  }
  const place = join(folder, part, name);
  const taken = [folder, ...others].map((each) => join(each, part, name)).find((path) => existsSync(path));
  if (taken !== undefined) throw new Error(`${taken} already exists; nothing was written.`);
  mkdirSync(place, { recursive: true });
  return Object.entries(files(name)).map(([file, text]) => {
    const path = join(place, file);
    writeFileSync(path, text, { flag: "wx" });
    return path;
  });
}
