import { readdirSync } from "node:fs";
import { join } from "node:path";
import { BUILT_IN_CATALOG } from "../../src/app/composition/read-catalog.js";

/** Names of the models that the package brings, in alphabetical order: those of their folders. */
export const BUILT_IN_MODELS: readonly string[] = readdirSync(join(BUILT_IN_CATALOG, "models")).sort();
