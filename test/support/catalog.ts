import { readCatalog } from "../../src/app/composition/read-catalog.js";
import type { Catalog } from "../../src/core/catalog/types.js";
import { makeOnDemand } from "../../src/services/index.js";
import { ROOT } from "./bindery.js";

let catalog: Catalog | undefined;

/** The built-in catalog, which nobody changes: it is read once in each process of the tests. */
export function builtInCatalog(): Catalog {
  catalog ??= readCatalog([`${ROOT}/catalog`]);
  return catalog;
}

/** What services make of the models of the built-in catalog, once in each process: compiling a schema takes long. */
export const BUILT_IN_ON_DEMAND = makeOnDemand();
