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

/** What is in a catalog, and what is wrong with it. */
export interface CatalogReport {
  readonly mistakes: readonly Problem[];
  /** What is not wrong, and could be better: `file: path has no title`. */
  readonly notes: readonly string[];
  readonly models: readonly {
    readonly name: string;
    readonly version: number;
    readonly fields: number;
    /** The names after `extends`. */
    readonly extends: readonly string[];
    readonly hasExample: boolean;
  }[];
  readonly vocabularies: readonly { readonly name: string; readonly items: number }[];
}

/**
 * Checks the built-in catalog with these folders over it: all that a start reads, every starter item and every example.
 * The service and its data have no part in it. Examples are looked at once nothing else is wrong.
 */
export async function checkCatalog(config: Config, operatorFolders: readonly string[]): Promise<CatalogReport> {
  const folders = withBuiltIn(operatorFolders);
  const problems = new Problems();
  const catalog = compileCatalog(folders, problems);
  const mistakes = [...problems.list];
  const vocabularies: CatalogReport["vocabularies"][number][] = [];
  for (const [name, folder] of findFolders(folders, "vocabularies")) {
    const vocabulary = catalog.vocabularies.get(name);
    // Items are not blamed for what their vocabulary says wrongly.
    if (vocabulary === undefined || mistakes.some(({ file }) => file === join(folder, VOCABULARY_FILE))) continue;
    const { items, problems: found } = await checkStarters(vocabulary);
    vocabularies.push({ name, items });
    addAll(mistakes, found);
  }
  if (mistakes.length === 0) addAll(mistakes, await checkExamples(config, catalog));
  const models = [...catalog.models.values()];
  return {
    mistakes,
    notes: [
      ...problems.notes,
      ...models.flatMap((model) => notesOf(model, catalog.sources.get(model.name)?.schema.file ?? "")),
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

/** The built-in catalog, and these folders over it. */
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

function notesOf(model: Model, schemaFile: string): readonly string[] {
  return declaredPaths(model).flatMap(({ path, isTitled, isHelped }) => {
    const lacks = [...(isTitled ? [] : ["title"]), ...(isHelped ? [] : ["description"])];
    return lacks.length === 0 ? [] : [`${schemaFile}: ${path} has no ${lacks.join(" and no ")}`];
  });
}
