import { existsSync } from "node:fs";
import type { Config } from "../../config/schema.js";
import type { BackgroundReporter } from "../../core/background.js";
import type { Catalog } from "../../core/catalog/types.js";
import type { FileCheck } from "../../engines/sqlite/admin/check-whole-file.js";
import type { Restored, ScanLoader, SqliteEngine, StopMarker } from "../../engines/sqlite/index.js";
import type { Clock } from "../../ports/clock.js";
import type { Engine } from "../../ports/engine.js";
import {
  cacheBytesOf,
  createsStore,
  type EngineRole,
  mayWrite,
  runsCheckpoints,
  runsReindexing,
} from "./engine-role.js";
import { StartupError } from "./startup-error.js";

export type { ScanLoader };

/** What the embedded engine does for the threads and processes around it: they share one file. */
export type EmbeddedEngine = Pick<SqliteEngine, "answer" | "refuseWrites">;

export interface OpenedEngine {
  readonly engine: Engine;
  readonly embedded: EmbeddedEngine;
}

export interface EngineOptions {
  readonly role: EngineRole;
  readonly clock: Clock;
  readonly background: BackgroundReporter;
  readonly load?: ScanLoader;
}

/** Opens the store and the index that the configuration names, or throws at start. Only `app/` knows engines. */
export async function openEngine(
  config: Config,
  catalog: Catalog,
  { role, load, clock, background }: EngineOptions,
): Promise<OpenedEngine> {
  // Lazily: an unused engine costs nothing.
  const { openSqlite } = await import("../../engines/sqlite/index.js");
  const engine = openSqlite({
    folder: config.data,
    catalog,
    clock,
    role: mayWrite(role) ? "writer" : "reader",
    creates: createsStore(role),
    runsCheckpoints: runsCheckpoints(role),
    runsReindexing: runsReindexing(role),
    background,
    searchTimeoutMs: config.searchTimeoutMs,
    cacheBytes: cacheBytesOf(role, config.cacheMb),
    ...(load === undefined ? {} : { load }),
  });
  return { engine, embedded: engine };
}

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
    throw new StartupError(`The data folder ${data} cannot be created: ${(error as Error).message}`);
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

/** Checks the whole database, which blocks this thread. */
export async function checkData({ data }: Config): Promise<FileCheck> {
  const { checkWholeFile } = await import("../../engines/sqlite/index.js");
  return checkWholeFile(data);
}

/** Has the data folder a store? */
export async function hasStore({ data }: Config): Promise<boolean> {
  const { databaseFile } = await import("../../engines/sqlite/index.js");
  return existsSync(databaseFile(data));
}

/**
 * Puts a backup in the place of the data folder's database.
 *
 * @param force keep the one that is there beside it, and go on
 * @throws Error with a clear word when a server has the folder, or the file is no backup
 */
export async function restoreData({ data }: Config, file: string, force: boolean): Promise<Restored> {
  const { restoreDatabase } = await import("../../engines/sqlite/index.js");
  return restoreDatabase(data, file, { force, now: new Date() });
}
