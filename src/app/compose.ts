import { randomBytes } from "node:crypto";
import { catalogFolders } from "../config/derived.js";
import type { Config } from "../config/schema.js";
import type { Catalog } from "../core/catalog/types.js";
import type { Clock } from "../ports/clock.js";
import type { Random } from "../ports/random.js";
import { makeServices } from "../services/index.js";
import type { OperatorServices, Services } from "../services/services.js";
import { openEngine, type Role } from "./open-engines.js";
import { BUILT_IN_CATALOG, readCatalog } from "./read-catalog.js";

/** The whole service in this process, without threads and without HTTP. */
export interface Composition {
  readonly services: Services & OperatorServices;
  close(): Promise<void>;
}

// The wall clock says milliseconds; the digits below only keep instants of one process apart.
const systemClock: Clock = { nowMicros: () => Date.now() * 1000 + (Math.floor(performance.now() * 1000) % 1000) };

const systemRandom: Random = { bytes: (count) => randomBytes(count) };

/** Wires services to engines: what a worker thread and a command of the command line run. */
export async function compose(config: Config, catalog: Catalog, role: Role): Promise<Composition> {
  const engine = await openEngine(config, catalog, role, systemClock);
  const { store, index } = engine;
  const services = makeServices({ store, index, catalog, clock: systemClock, random: systemRandom });
  return { services, close: () => engine.close() };
}

/** The built-in catalog with the operator's folders over it. @throws CatalogError with `file:line: reason` lines */
export function openCatalog(config: Config): Catalog {
  return readCatalog([BUILT_IN_CATALOG, ...catalogFolders(config)]);
}
