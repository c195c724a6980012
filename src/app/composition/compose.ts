import { randomBytes } from "node:crypto";
import { AUTHORITIES } from "../../authorities/index.js";
import type { Config } from "../../config/schema.js";
import type { BackgroundReporter } from "../../core/background.js";
import type { Catalog } from "../../core/catalog/types.js";
import { quotasOf, textLimitsOf } from "../../core/limits.js";
import { makeSearchAnswers, type SearchAnswers } from "../../http/answers/search-answers.js";
import { makeStreamAnswers, type StreamAnswers } from "../../http/answers/stream-answers.js";
import type { PublicChanges } from "../../ports/changes.js";
import type { Leadership, StoreStats } from "../../ports/engine.js";
import type { Clock, Random } from "../../ports/environment.js";
import type { ImportReadServices } from "../../services/api/import-services.js";
import type { PrepareServices } from "../../services/api/prepare-services.js";
import type { Deps } from "../../services/context/deps.js";
import { makeServices } from "../../services/index.js";
import type { OnDemand } from "../../services/on-demand.js";
import { warmUp } from "../../services/search/warm-up.js";
import type { AllServices } from "../../services/use-cases.js";
import { watchWrites } from "../monitoring/watch-writes.js";
import type { EngineRole } from "./engine-role.js";
import {
  type BesideEngine,
  type EmbeddedEngine,
  openEngine,
  type ScanLoader,
  type TextBuilder,
} from "./open-engines.js";
import { openLiveAuthorities } from "./open-live-authorities.js";

/** The whole service in this process, without threads and without HTTP. */
export interface Composition {
  readonly services: AllServices & SearchAnswers & StreamAnswers;
  /** Did opening the engine make a new, empty store? */
  readonly isNew: boolean;
  /** What answers that are kept are compared by. */
  readonly publicChanges: PublicChanges;
  /** Has the index read what will be asked, see `warmUp`. */
  warmUp(pause: () => Promise<void>): Promise<void>;
  /** Absent: the store is a database that other services share. */
  readonly embedded?: EmbeddedEngine;
  /** The index beside the database, where there is one. */
  readonly search?: BesideEngine;
  /** Which of the services that share a store does what only one may do; absent: this one is alone. */
  readonly leadership?: Leadership;
  /** By how many seconds the clock of this machine is ahead of that of the store; absent: that has none of its own. */
  readonly clockOffset?: () => Promise<number>;
  /** What was met at the database that others share; absent: nobody shares the store. */
  readonly storeStats?: () => StoreStats;
  close(): Promise<void>;
}

interface PrepareElsewhere {
  /** Prepares long bodies; absent: they are prepared here. */
  readonly prepareElsewhere?: PrepareServices["prepareRecord"];
  /** Reads large files of imports; absent: they are read here. */
  readonly readElsewhere?: ImportReadServices;
}

// The wall clock says milliseconds; the digits below only keep instants of one process apart.
const systemClock: Clock = { nowMicros: () => Date.now() * 1000 + (Math.floor(performance.now() * 1000) % 1000) };

const systemRandom: Random = { bytes: (count) => randomBytes(count) };

interface ComposeOptions extends PrepareElsewhere {
  /** Draws structures on another thread; absent: they are drawn here. */
  readonly draw?: Deps["draw"];
  readonly role: EngineRole;
  /** Hears of the work that no caller waits for. */
  readonly background: BackgroundReporter;
  /** Answers what takes long; absent: it is done here. */
  readonly load?: ScanLoader;
  /** Builds the full-text tables of large loads; absent: it is done here. */
  readonly textBuilder?: TextBuilder;
  /** What other services in this process have made of the same catalog; absent: it is made for these alone. */
  readonly onDemand?: OnDemand;
}

/** Wires services to engines: what a worker thread and a command of the command line run. */
export async function compose(config: Config, catalog: Catalog, parts: ComposeOptions): Promise<Composition> {
  const { background, prepareElsewhere, readElsewhere, onDemand, draw } = parts;
  const options = { ...parts, clock: systemClock };
  const { engine, embedded, search } = await openEngine(config, catalog, options);
  const { index, admin, publicChanges, isNew = false, leadership, clockOffset, storeStats } = engine;
  const isWriter = parts.role === "writer";
  // Closing it closes the engine.
  const store = isWriter ? watchWrites({ ...engine.store, close: engine.close }, background) : engine.store;
  const close = isWriter ? store.close : engine.close;
  const live = await openLiveAuthorities(config, parts.role, background);
  const useCases = makeServices({
    ...{ store, index, admin, catalog, authorities: AUTHORITIES, live },
    ...{ clock: systemClock, random: systemRandom, background },
    ...{ textLimits: textLimitsOf(config), quotas: quotasOf(config), searchTimeoutMs: config.searchTimeoutMs },
    ...(prepareElsewhere === undefined ? {} : { prepareElsewhere }),
    ...(readElsewhere === undefined ? {} : { readElsewhere }),
    ...(draw === undefined ? {} : { draw }),
    ...onDemand,
  });
  const warm = (pause: () => Promise<void>): Promise<void> => warmUp({ store, index, catalog }, pause);
  const services = { ...useCases, ...makeSearchAnswers(useCases, catalog), ...makeStreamAnswers(useCases, catalog) };
  return {
    ...{ services, isNew, publicChanges, warmUp: warm, close },
    ...(embedded === undefined ? {} : { embedded }),
    ...(search === undefined ? {} : { search }),
    ...(leadership === undefined ? {} : { leadership }),
    ...(clockOffset === undefined ? {} : { clockOffset }),
    ...(storeStats === undefined ? {} : { storeStats }),
  };
}
