import { mkdirSync } from "node:fs";
import type { Config } from "../config/schema.js";
import type { Catalog } from "../core/catalog/types.js";
import type { Clock } from "../ports/clock.js";
import type { Engine } from "../ports/engine.js";
import { StartupError } from "./startup-error.js";

/** A process has one writer at most; readers never change anything. */
export type Role = "writer" | "reader";

/** Opens the store and the index that the configuration names, or throws at start. Only `app/` knows engines. */
export async function openEngine(config: Config, catalog: Catalog, role: Role, clock: Clock): Promise<Engine> {
  // Lazily: an unused engine costs nothing.
  const { openSqlite } = await import("../engines/sqlite/index.js");
  return openSqlite({
    folder: config.data,
    catalog,
    clock,
    role,
    searchTimeoutMs: config.searchTimeoutMs,
    cacheBytes: config.cacheMb * 2 ** 20,
  });
}

/**
 * Claims the data folder for this server, making it where it is missing.
 *
 * @returns what gives it back
 * @throws Error with a clear word when another server has it, or when it cannot be made
 */
export async function lockData({ data }: Config): Promise<() => void> {
  const { lockDataFolder } = await import("../engines/sqlite/index.js");
  try {
    mkdirSync(data, { recursive: true });
  } catch (error) {
    throw new StartupError(`The data folder ${data} cannot be made: ${(error as Error).message}`);
  }
  const lock = lockDataFolder(data);
  return () => lock.release();
}
