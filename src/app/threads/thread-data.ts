import type { Config } from "../../config/schema.js";
import type { Catalog } from "../../core/catalog/types.js";

/** What the server hands to its threads: the catalog as it was read at the start, so that all have the same. */
export interface ThreadData {
  readonly config: Config;
  readonly catalog: Catalog;
}
