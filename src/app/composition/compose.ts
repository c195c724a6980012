import { randomBytes } from "node:crypto";
import { AUTHORITIES, LIVE_SOURCES } from "../../authorities/index.js";
import { lookupUrlsOf } from "../../config/derived.js";
import type { Config } from "../../config/schema.js";
import type { BackgroundReporter } from "../../core/background.js";
import { type Caches, makeCaches } from "../../core/caches.js";
import type { Catalog } from "../../core/catalog/types.js";
import { BinderyError } from "../../core/errors.js";
import { quotasOf, textLimitsOf } from "../../core/limits.js";
import { startSteps } from "../../engines/background/run-steps.js";
import { makeSearchAnswers, type SearchAnswers } from "../../http/answers/search-answers.js";
import { makeStreamAnswers, type StreamAnswers } from "../../http/answers/stream-answers.js";
import type { Authority, LiveAuthorities } from "../../ports/authorities.js";
import type { DataChanges } from "../../ports/changes.js";
import type { Leadership, StoreStats } from "../../ports/engine.js";
import type { Clock, Random } from "../../ports/environment.js";
import type { Store } from "../../ports/store.js";
import type { ImportReadServices } from "../../services/api/imports.js";
import type { PrepareServices } from "../../services/api/preparation.js";
import type { Deps } from "../../services/context/deps.js";
import { makeServices, type OnDemand } from "../../services/index.js";
import { warmUp } from "../../services/search/warm-up.js";
import type { AllServices } from "../../services/use-cases.js";
import { asksAuthorities, cacheBudget, type EngineRole } from "./engine-role.js";
import {
  type EmbeddedEngine,
  openEngine,
  type ScanLoader,
  type SeparateIndex,
  type TextBuilder,
} from "./open-engines.js";
import { readVersion } from "./package-root.js";

/** A whole service in one thread, without HTTP. */
export interface Composition {
  readonly services: AllServices & SearchAnswers & StreamAnswers;
  /** Whether a new, empty store was created. */
  readonly isNew: boolean;
  /** The caches of this thread. */
  readonly caches: Caches;
  /** Checks whether cached public answers are still current. */
  readonly dataChanges: DataChanges;
  /** Loads data that the first searches will need; see `warmUp` of the search services. */
  warmUp(pause: () => Promise<void>): Promise<void>;
  /** Absent if several nodes share the store. */
  readonly embedded?: EmbeddedEngine | undefined;
  /** The separate index of a database, if there is one. */
  readonly search?: SeparateIndex | undefined;
  /** Elects the node for tasks that only one may do; absent if the store is not shared. */
  readonly leadership?: Leadership | undefined;
  /** Returns the seconds by which this machine's clock is ahead of the store's; absent if the store has no clock. */
  readonly clockOffset?: (() => Promise<number>) | undefined;
  /** Statistics of the shared database; absent if the store is not shared. */
  readonly storeStats?: (() => StoreStats) | undefined;
  close(): Promise<void>;
}

// The wall clock has milliseconds; the three digits below them only distinguish instants within one process.
const systemClock: Clock = { nowMicros: () => Date.now() * 1000 + (Math.floor(performance.now() * 1000) % 1000) };

const systemRandom: Random = { bytes: (count) => randomBytes(count) };

/** Each optional function does some work on another thread; if it is absent, this thread does the work itself. */
interface ComposeOptions {
  /** Prepares long bodies. */
  readonly prepareElsewhere?: PrepareServices["prepareRecord"] | undefined;
  /** Reads large files of imports. */
  readonly readElsewhere?: ImportReadServices | undefined;
  /** Draws structures. */
  readonly draw?: Deps["draw"] | undefined;
  readonly role: EngineRole;
  /** Receives the outcomes of work that no caller waits for. */
  readonly background: BackgroundReporter;
  /** Runs long scans of the index. */
  readonly load?: ScanLoader | undefined;
  /** Builds the full-text tables of large loads. */
  readonly textBuilder?: TextBuilder | undefined;
  /** Data derived from the catalog that other services of this process share; absent if there are none. */
  readonly onDemand?: OnDemand;
}

/** Opens the authorities that the settings enable. Returns none for roles that do not ask authorities. */
async function openLiveAuthorities(
  config: Config,
  { role, background, caches }: Pick<ComposeOptions, "role" | "background"> & { readonly caches: Caches },
): Promise<LiveAuthorities> {
  const urls = lookupUrlsOf(config);
  if (urls.size === 0 || !asksAuthorities(role)) return new Map();
  // Imported on demand, so that a service without look-ups does not load it.
  const { askAuthority, AUTHORITY_TIME_LIMITS: PATIENCE } = await import("../../authorities/live/ask-authority.js");
  const { lookupTimeoutMs: timeoutMs, lookupEmail: email, lookupRorClient: client } = config;
  const contact = email === "" ? "" : ` (mailto:${email})`;
  const common = { accept: "application/json", "user-agent": `Bindery/${readVersion()}${contact}` };
  const cache = caches.open("lookups");
  const authorities = [...urls].map(([name, url]) => {
    const headers = name === "ror" && client !== "" ? { ...common, "client-id": client } : common;
    const options = { url, email, headers, background, cache, patience: { ...PATIENCE, timeoutMs } };
    return [name, askAuthority(LIVE_SOURCES[name], options)] as const;
  });
  return new Map(authorities);
}

/** Interval at which a thread reports the memory of its caches, in milliseconds. */
const CACHE_REPORT_MS = 5_000;

/** Reports the memory of caches from time to time. */
function reportCaches(caches: Caches, background: BackgroundReporter): { stop(): void } {
  const timer = setInterval(() => background.onCaches(caches.usage()), CACHE_REPORT_MS).unref();
  return { stop: () => clearInterval(timer) };
}

/** Connects services to engines, for a thread of a server or a command of the command line. */
export async function compose(config: Config, catalog: Catalog, parts: ComposeOptions): Promise<Composition> {
  const { background, prepareElsewhere, readElsewhere, onDemand, draw } = parts;
  const caches = makeCaches((name) => cacheBudget(name, parts.role, config.cacheMb));
  const options = { ...parts, clock: systemClock, caches };
  const { engine, embedded, search } = await openEngine(config, catalog, options);
  const { index, admin, dataChanges, isNew = false, leadership, clockOffset, storeStats } = engine;
  const isWriter = parts.role === "writer";
  // A watched store also closes the engine.
  const store = isWriter ? watchWrites({ ...engine.store, close: engine.close }, background) : engine.store;
  const reports = reportCaches(caches, background);
  const close = async (): Promise<void> => {
    reports.stop();
    await (isWriter ? store : engine).close();
  };
  const live = await openLiveAuthorities(config, options);
  const useCases = makeServices({
    store,
    index,
    admin,
    catalog,
    authorities: AUTHORITIES,
    live,
    clock: systemClock,
    random: systemRandom,
    background,
    caches,
    textLimits: textLimitsOf(config),
    quotas: quotasOf(config),
    searchTimeoutMs: config.searchTimeoutMs,
    prepareElsewhere,
    readElsewhere,
    // Without a thread for drawings, the default of the services stays.
    ...(draw === undefined ? {} : { draw }),
    ...onDemand,
  });
  const warm = (pause: () => Promise<void>): Promise<void> => warmUp({ store, index, catalog }, pause);
  const services = { ...useCases, ...makeSearchAnswers(useCases, catalog), ...makeStreamAnswers(useCases, catalog) };
  return {
    services,
    isNew,
    caches,
    dataChanges,
    warmUp: warm,
    close,
    embedded,
    search,
    leadership,
    clockOffset,
    storeStats,
  };
}

/** Properties of an authority that the command line shows. */
type ListedAuthority = Pick<Authority, "name" | "title" | "vocabulary" | "takes" | "url" | "licence">;

/** Lists all authorities whose dumps can be loaded, by name. Needs no store. */
export function listAuthorities(): readonly ListedAuthority[] {
  return [...AUTHORITIES.values()].map(({ name, title, vocabulary, takes, url, licence }) => ({
    name,
    title,
    vocabulary,
    takes,
    url,
    licence,
  }));
}

/** Pause after a failed check of writes. */
const RETRY_MS = 5_000;

/**
 * Reports while nothing can be written, as the task `writes`. After a transaction that the store refused, it checks
 * whether a write works, and repeats the check until it succeeds. Therefore, the error ends soon after its cause, even
 * if nobody writes meanwhile. Transactions that fail because of their content are ignored.
 */
export function watchWrites(store: Store, background: BackgroundReporter, retryMs = RETRY_MS): Store {
  let writeCheck: { stop(): Promise<void> } | undefined;
  let isClosed = false;
  const check = (): void => {
    if (writeCheck !== undefined || isClosed) return;
    const step = async (): Promise<"done"> => {
      await store.checkWrites();
      writeCheck = undefined;
      return "done";
    };
    writeCheck = startSteps("writes", background, step, retryMs);
  };
  return {
    ...store,
    transaction: async (...args) => {
      try {
        return await store.transaction(...args);
      } catch (error) {
        if (error instanceof BinderyError && error.code === "STORE_UNAVAILABLE") check();
        throw error;
      }
    },
    close: async () => {
      isClosed = true;
      await writeCheck?.stop();
      await store.close();
    },
  };
}
