import type { Config } from "../../config/schema.js";
import type { Catalog } from "../../core/catalog/types.js";

/** Data with which a thread starts. All threads have the catalog that the server read at its start. */
export interface ThreadData {
  readonly config: Config;
  readonly catalog: Catalog;
}
