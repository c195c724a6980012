import type { Catalog } from "../../core/catalog/types.js";
import type { Upkeep } from "../../ports/upkeep.js";
import { backupStore } from "./backup.js";
import { repairStore } from "./verify/repair.js";
import { verifyStore } from "./verify/verify.js";

/** What is done to the file as a whole; each call has connections of its own. */
export function makeUpkeep(folder: string, catalog: Catalog): Upkeep {
  return {
    verify: async (onProgress) => verifyStore(folder, catalog, onProgress).verification,
    repair: (onProgress) => repairStore(folder, catalog, onProgress),
    backup: (file, options) => backupStore(folder, file, options),
  };
}
