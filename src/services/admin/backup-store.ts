import type { AdminOperatorServices } from "../api/admin-services.js";
import type { Deps } from "../context/deps.js";

/** Copies the whole store into one file, which is there whole or not at all. */
export function makeBackupStore({ admin }: Deps): AdminOperatorServices["backupStore"] {
  return (file, force) => admin.backup(file, { force });
}
