/** Work on the data folder of the embedded engine besides opening it. */

import { existsSync } from "node:fs";
import { isShared } from "../../config/derived.js";
import type { Config } from "../../config/schema.js";
import { explainFileError } from "../../engines/files/explain-access.js";
import type { FileCheck } from "../../engines/sqlite/admin/check-files.js";
import type { FoundServer, Restored, RestoreOptions, StopMarker } from "../../engines/sqlite/index.js";
import { refuseNoFile } from "../../formats/open-file.js";
import { StartupError } from "./startup-error.js";

export type { FoundServer };

/**
 * Claims the data folder for this server, making it where it is missing.
 *
 * @returns what gives it back
 * @throws Error with a clear word when another server has it, or when it cannot be made
 */
export async function lockData({ data }: Config): Promise<() => void> {
  const { lockDataFolder, makeDataFolder } = await import("../../engines/sqlite/index.js");
  try {
    makeDataFolder(data);
  } catch (error) {
    const reason = explainFileError(error, data) ?? (error as Error).message;
    throw new StartupError(`The data folder ${data} cannot be created: ${reason}`);
  }
  const lock = lockDataFolder(data);
  return () => lock.release();
}

/** Takes the rights of group and others from the data folder. @returns what to log of it */
export async function restrictData({ data }: Config): Promise<readonly string[]> {
  const { restrictAccess } = await import("../../engines/sqlite/index.js");
  return restrictAccess(data).map(({ path, mode, error }) =>
    error === undefined
      ? `${path} was readable for others (${mode}); now only its owner can read it.`
      : `${path} is readable for others (${mode}), and this cannot be changed: ${error}. Run chmod go= on it.`,
  );
}

/** Marks the data folder, which is locked, as one that a server works on. */
export async function markData({ data }: Config): Promise<StopMarker> {
  const { markRunning } = await import("../../engines/sqlite/index.js");
  return markRunning(data);
}

/** What is known of a server on the data folder. */
export async function findDataServer({ data }: Config): Promise<FoundServer> {
  const { findServer } = await import("../../engines/sqlite/index.js");
  return findServer(data);
}

/** Checks the whole database, which blocks this thread. */
export async function checkData({ data }: Config): Promise<FileCheck> {
  const { checkWholeFile } = await import("../../engines/sqlite/index.js");
  return checkWholeFile(data);
}

/**
 * Removes what an interrupted `restore` or `load` left in the data folder, which is locked, beside a whole store.
 * @returns what to log of it
 * @throws StartupError if there is no store and none may be made
 */
export async function tidyData({ data, newStore }: Config): Promise<readonly string[]> {
  const { refuseNewStore, tidyAfterRun } = await import("../../engines/sqlite/index.js");
  try {
    refuseNewStore(data, { isRefused: newStore === "off" });
  } catch (error) {
    throw new StartupError((error as Error).message);
  }
  return tidyAfterRun(data) ? ["The last `bindery restore` did not finish; the store is as it was before."] : [];
}

/** Advice that follows the place of a new store in the warning. */
export const NEW_STORE_ADVICE =
  "If there should be data, stop now and check the settings and the disk; else set BINDERY_NEW_STORE=off from now on.";

/**
 * Puts a backup in the place of the data folder's database.
 * @throws Error with a clear word when a server has the folder, or the file is no backup
 */
export async function restoreData(
  config: Config,
  file: string,
  options: Pick<RestoreOptions, "force" | "asInBackup">,
): Promise<Restored> {
  if (isShared(config)) {
    throw new StartupError(
      "`restore` replaces the database of a data folder, but BINDERY_DATABASE_URL is set: restore PostgreSQL by its " +
        "own programs. docs/cluster-operation.md explains how tokens that were revoked meanwhile stay revoked.",
    );
  }
  const { data } = config;
  if (existsSync(file)) await refuseNoFile(file);
  const { restoreDatabase } = await import("../../engines/sqlite/index.js");
  return restoreDatabase(data, file, { ...options, now: new Date() });
}
