import type { Deps } from "./deps.js";
import type { OperatorServices } from "./services.js";

/** Copies the whole store into one file, which is there whole or not at all. */
export function makeBackupStore({ upkeep }: Deps): OperatorServices["backupStore"] {
  return (file, force) => upkeep.backup(file, { force });
}
