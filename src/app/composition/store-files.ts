/** Operations on the files of a store, other than opening it: the data folder, backups, and dumps of any store. */

import { createWriteStream, existsSync, fstatSync, rmSync, statSync } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isShared } from "../../config/derived.js";
import type { Config } from "../../config/schema.js";
import type { Catalog } from "../../core/catalog/types.js";
import { FILE_MODE, noteUnfinished, publishFile } from "../../engines/files/disk-files.js";
import { explainFileError, refuseFolder } from "../../engines/files/explain-access.js";
import type { FileCheck } from "../../engines/sqlite/admin/check-files.js";
import type { FoundServer, Restored, RestoreOptions, StopMarker } from "../../engines/sqlite/index.js";
import { requireFile } from "../../formats/open-file.js";
import type { StoreRows } from "../../ports/store-admin.js";
import { StartupError } from "./startup-errors.js";

export type { FoundServer };

/**
 * Locks the data folder for this server. Creates it if it is missing.
 *
 * @returns a function that releases the lock
 * @throws Error with a clear message if another server holds the lock, or if the folder cannot be created
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

/** Removes the permissions of group and others on the data folder. @returns lines for the log */
export async function restrictData({ data }: Config): Promise<readonly string[]> {
  const { restrictAccess } = await import("../../engines/sqlite/index.js");
  return restrictAccess(data).map(({ path, mode, error }) =>
    error === undefined
      ? `${path} was readable by others (${mode}); now only its owner can read it.`
      : `${path} is readable by others (${mode}), and this cannot be changed: ${error}. Run chmod go= on it.`,
  );
}

/** Marks the locked data folder as in use, so that the next start notices an unclean stop. */
export async function markData({ data }: Config): Promise<StopMarker> {
  const { markRunning } = await import("../../engines/sqlite/index.js");
  return markRunning(data);
}

/** Looks for a server on the data folder. */
export async function findDataServer({ data }: Config): Promise<FoundServer> {
  const { findServer } = await import("../../engines/sqlite/index.js");
  return findServer(data);
}

/** Checks the whole database. Blocks this thread meanwhile. */
export async function checkData({ data }: Config): Promise<FileCheck> {
  const { checkWholeFile } = await import("../../engines/sqlite/index.js");
  return checkWholeFile(data);
}

/**
 * Removes files that an interrupted `restore` or `load` left in the locked data folder.
 * @returns lines for the log
 * @throws StartupError if there is no store and the settings forbid a new one
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

/** Advice at the end of the warning about a new store. */
export const NEW_STORE_ADVICE =
  "If there should be data, stop now and check the settings and the disk; otherwise set BINDERY_NEW_STORE=off.";

/**
 * Replaces the database of the data folder with a backup.
 * @throws Error with a clear message if a server uses the folder, or if the file is not a backup
 */
export async function restoreData(
  config: Config,
  file: string,
  options: Pick<RestoreOptions, "force" | "asInBackup">,
): Promise<Restored> {
  if (isShared(config)) {
    throw new StartupError(
      "`restore` replaces the database of a data folder, but BINDERY_DATABASE_URL is set: restore PostgreSQL with " +
        "its own tools. docs/cluster-operation.md explains how tokens that were revoked meanwhile stay revoked.",
    );
  }
  const { data } = config;
  if (existsSync(file)) await requireFile(file);
  const { restoreDatabase } = await import("../../engines/sqlite/index.js");
  return restoreDatabase(data, file, { ...options, now: new Date() });
}

/**
 * Fills the store of the configuration, which must be empty or missing, with the rows of another store, all or nothing.
 * @throws Error with a clear message if the store has content, or if the catalog lacks a model or vocabulary of the
 *   rows; errors of `rows`
 */
export async function loadStore(config: Config, catalog: Catalog, rows: AsyncIterable<StoreRows>): Promise<void> {
  if (!isShared(config)) {
    const { loadDatabase } = await import("../../engines/sqlite/index.js");
    return await loadDatabase(config.data, catalog, rows);
  }
  const { loadDatabase, migrate, openPool } = await import("../../engines/postgres/index.js");
  const pool = openPool({ url: config.databaseUrl, connections: 1 });
  try {
    await migrate(pool);
    await loadDatabase(pool, catalog, rows);
  } finally {
    await pool.close();
  }
}

/**
 * Writes the lines into `<file>.part`, and renames it when it is complete. The dump contains digests of tokens, drafts
 * and addresses: only its owner may read it.
 *
 * @throws Error with a clear message if the file exists or cannot be written; errors of `lines`
 */
export async function writeDumpFile(file: string, lines: Readable): Promise<void> {
  refuseFolder(file);
  const part = `${file}.part`;
  const existsMessage = `${file} cannot be written: it is there already.`;
  if (existsSync(file)) throw new Error(existsMessage);
  let inode: number | undefined;
  let release = (): void => undefined;
  try {
    rmSync(part, { force: true });
    const target = createWriteStream(part, { flags: "wx", mode: FILE_MODE, flush: true });
    target.once("open", (descriptor) => {
      inode = fstatSync(descriptor).ino;
      release = noteUnfinished([part]);
    });
    await pipeline(lines, target);
    if (statSync(part).ino !== inode) throw new Error(`Another dump into ${file} has begun; this one was stopped.`);
    if (!publishFile(part, file)) throw new Error(existsMessage);
  } catch (error) {
    if (inode !== undefined && statSync(part, { throwIfNoEntry: false })?.ino === inode) rmSync(part);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new Error(`${file} cannot be written: ${message}.`, { cause: error });
  } finally {
    release();
  }
}
