import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/schema.js";
import { declaredPaths } from "../../core/catalog/declared-paths.js";
import type { Model } from "../../core/catalog/types.js";
import { addAll } from "../../core/collections.js";
import { type Problem, Problems } from "../../core/declarations/declaration.js";
import { BUILT_IN_CATALOG, compileCatalog, findFolders, VOCABULARY_FILE } from "../composition/read-catalog.js";
import { checkExamples } from "./check-examples.js";
import { checkStarters } from "./check-starters.js";

/** The content of a catalog, and its mistakes. */
export interface CatalogReport {
  readonly mistakes: readonly Problem[];
  /** Advice on declarations that are valid but could be better: `file: path has no title`. */
  readonly notes: readonly string[];
  readonly models: readonly {
    readonly name: string;
    readonly version: number;
    readonly fields: number;
    /** Names after `extends`. */
    readonly extends: readonly string[];
    readonly hasExample: boolean;
  }[];
  readonly vocabularies: readonly { readonly name: string; readonly items: number }[];
}

/**
 * Checks the built-in catalog with `operatorFolders` over it: everything that a start reads, all starter terms and all
 * examples. Examples are checked only if there are no other mistakes. Neither a service nor its data is needed.
 */
export async function checkCatalog(config: Config, operatorFolders: readonly string[]): Promise<CatalogReport> {
  const folders = withBuiltIn(operatorFolders);
  const problems = new Problems();
  const catalog = compileCatalog(folders, problems);
  const mistakes = [...problems.list];
  const vocabularies: CatalogReport["vocabularies"][number][] = [];
  for (const [name, folder] of findFolders(folders, "vocabularies")) {
    const vocabulary = catalog.vocabularies.get(name);
    // A mistake in a vocabulary would make its terms look wrong.
    if (vocabulary === undefined || mistakes.some(({ file }) => file === join(folder, VOCABULARY_FILE))) continue;
    const { items, problems: starterProblems } = await checkStarters(vocabulary);
    vocabularies.push({ name, items });
    addAll(mistakes, starterProblems);
  }
  if (mistakes.length === 0) addAll(mistakes, await checkExamples(config, catalog));
  const models = [...catalog.models.values()];
  return {
    mistakes,
    notes: [
      ...problems.notes,
      ...models.flatMap((model) => listMissingTexts(model, catalog.sources.get(model.name)?.schema.file ?? "")),
    ],
    models: models.map((model) => ({
      name: model.name,
      version: model.version,
      fields: declaredPaths(model).filter(({ isLeaf }) => isLeaf).length,
      extends: catalog.sources.get(model.name)?.model.extends ?? [],
      hasExample: model.example !== undefined,
    })),
    vocabularies,
  };
}

/** Returns the folders of the built-in catalog with `operatorFolders` over it. */
export function withBuiltIn(operatorFolders: readonly string[]): readonly string[] {
  return [BUILT_IN_CATALOG, ...operatorFolders.filter((folder) => !isBuiltIn(folder))];
}

function isBuiltIn(folder: string): boolean {
  try {
    return realpathSync(folder) === realpathSync(BUILT_IN_CATALOG);
  } catch {
    return false;
  }
}

/** Returns a note for each path of a model that has no title or no description. */
function listMissingTexts(model: Model, schemaFile: string): readonly string[] {
  return declaredPaths(model).flatMap(({ path, isTitled, isHelped }) => {
    const missingKeys = [...(isTitled ? [] : ["title"]), ...(isHelped ? [] : ["description"])];
    return missingKeys.length === 0 ? [] : [`${schemaFile}: ${path} has no ${missingKeys.join(" and no ")}`];
  });
}
