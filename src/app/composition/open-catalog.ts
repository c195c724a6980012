/** Separate from `compose`: threads receive the catalog from the main thread and need no YAML parser. */
import { catalogFolders } from "../../config/derived.js";
import type { Config } from "../../config/schema.js";
import type { Catalog } from "../../core/catalog/types.js";
import { readCompiled } from "./compiled-catalog.js";
import { BUILT_IN_CATALOG, readCatalog } from "./read-catalog.js";

/** Reads the built-in catalog with the operator's folders over it. @throws CatalogError like `readCatalog` */
export function openCatalog(config: Config): Catalog {
  const folders = catalogFolders(config);
  return folders.length === 0 ? readCompiled() : readCatalog([BUILT_IN_CATALOG, ...folders]);
}
