/** Apart from `compose`: threads get the catalog from the one that reads it, and need no reader of YAML. */
import { catalogFolders } from "../../config/derived.js";
import type { Config } from "../../config/schema.js";
import type { Catalog } from "../../core/catalog/types.js";
import { readCompiled } from "./compiled-catalog.js";
import { BUILT_IN_CATALOG, readCatalog } from "./read-catalog.js";

/** The built-in catalog with the operator's folders over it. @throws CatalogError with `file:line: reason` lines */
export function openCatalog(config: Config): Catalog {
  const folders = catalogFolders(config);
  return folders.length === 0 ? readCompiled() : readCatalog([BUILT_IN_CATALOG, ...folders]);
}
