import { isShared, keyFileOf, searchCaOf, searchUrlsOf } from "../../config/derived.js";
import type { Config } from "../../config/schema.js";
import type { BackgroundReporter } from "../../core/background.js";
import type { Caches } from "../../core/caches.js";
import type { Catalog } from "../../core/catalog/types.js";
import { makeSecretBox } from "../../engines/files/secret-box.js";
import type { PostgresEngine } from "../../engines/postgres/index.js";
import type { SeparateIndex } from "../../engines/separate-index/index.js";
import type { ScanLoader, SqliteEngine, TextBuilder } from "../../engines/sqlite/index.js";
import type { Engine } from "../../ports/engine.js";
import type { Clock } from "../../ports/environment.js";
import {
  checksTables,
  connectionsOf,
  createsStore,
  type EngineRole,
  mayWrite,
  migratesStore,
  runsCheckpoints,
  runsReindexing,
  writesInBulk,
} from "./engine-role.js";

export type { ScanLoader, SeparateIndex, TextBuilder };

/** Services of the embedded engine for other threads and processes, which share its file. */
export type EmbeddedEngine = Pick<SqliteEngine, "answer" | "texts" | "findDamage" | "refuseWrites">;

interface OpenedEngine {
  readonly engine: Engine;
  /** Absent if several nodes share the store. */
  readonly embedded?: EmbeddedEngine;
  /** The separate index of a database, if there is one. */
  readonly search?: SeparateIndex;
}

interface EngineOptions {
  readonly role: EngineRole;
  readonly clock: Clock;
  readonly background: BackgroundReporter;
  readonly caches: Caches;
  readonly load?: ScanLoader | undefined;
  readonly textBuilder?: TextBuilder | undefined;
}

/** Returns what the operator allows if a process would create a store. */
const mayCreate = ({ newStore }: Config): true | "refused" => (newStore === "on" ? true : "refused");

/** Opens the store and the index of the configuration. Only `app/` knows engines. @throws if one cannot be opened */
export function openEngine(config: Config, catalog: Catalog, options: EngineOptions): Promise<OpenedEngine> {
  return isShared(config) ? openShared(config, catalog, options) : openEmbedded(config, catalog, options);
}

// Engines are imported on demand, so that unused ones cost nothing.
async function openShared(
  config: Config,
  catalog: Catalog,
  { role, clock, background }: EngineOptions,
): Promise<OpenedEngine> {
  const { openPool, openPostgres } = await import("../../engines/postgres/index.js");
  const pool = openPool({ url: config.databaseUrl, connections: connectionsOf(role) });
  try {
    const secrets = makeSecretBox(keyFileOf(config));
    const maintenance = runsReindexing(role) ? { background } : {};
    const engine = await openPostgres({
      pool,
      catalog,
      clock,
      secrets,
      migrates: checksTables(role) && {
        migrates: migratesStore(role),
        // In an empty database, `user add` may run before the first start.
        creates: mayWrite(role) && mayCreate(config),
      },
      checksClock: true,
      clockJumpMaxMicros: clockJumpMicrosOf(config),
      ...maintenance,
    });
    return config.searchUrl === "" ? { engine } : await openWithSearch(engine, config, catalog);
  } catch (error) {
    await pool.close();
    throw error;
  }
}

const clockJumpMicrosOf = ({ clockJumpHours }: Config): number => clockJumpHours * 3_600_000_000;

/** Number of shards of a new index. `bindery reindex --shards` makes an index with more. */
const SHARDS = 1;

async function openWithSearch(store: PostgresEngine, config: Config, catalog: Catalog): Promise<OpenedEngine> {
  const { openOpenSearch } = await import("../../engines/opensearch/index.js");
  const { searchPrefix: prefix, overlayMax, searchTimeoutMs } = config;
  const ca = searchCaOf(config);
  const search = openOpenSearch({
    urls: searchUrlsOf(config),
    source: store.indexSource,
    catalog,
    prefix,
    overlayMax,
    searchTimeoutMs,
    shards: SHARDS,
    ca,
  });
  const close = async (): Promise<void> => {
    await search.close();
    await store.close();
  };
  const admin = search.adminOf(store.admin, store.store);
  return { engine: { ...store, index: search.index, admin, close }, search };
}

async function openEmbedded(
  config: Config,
  catalog: Catalog,
  { role, load, textBuilder, clock, background, caches }: EngineOptions,
): Promise<OpenedEngine> {
  const { openSqlite } = await import("../../engines/sqlite/index.js");
  const engine = openSqlite({
    folder: config.data,
    keyFile: keyFileOf(config),
    catalog,
    clock,
    role: mayWrite(role) ? "writer" : "reader",
    creates: createsStore(role) && mayCreate(config),
    migrates: migratesStore(role),
    runsCheckpoints: runsCheckpoints(role),
    runsReindexing: runsReindexing(role),
    isBulk: writesInBulk(role),
    background,
    clockJumpMaxMicros: clockJumpMicrosOf(config),
    searchTimeoutMs: config.searchTimeoutMs,
    caches,
    load,
    textBuilder,
  });
  return { engine, embedded: engine };
}
