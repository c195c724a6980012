import { resolve } from "node:path";
import { Registry } from "prom-client";
import { describeData, isShared, publicUrlOf, warnOfAddress } from "../config/derived.js";
import type { Config } from "../config/schema.js";
import type { Unserved } from "../ports/store-admin.js";
import type { WebhookStatus } from "../services/api/change-services.js";
import { adviseSecret } from "../services/changes/webhooks.js";
import { describeUnserved } from "./composition/check-stored.js";
import { lockData, NEW_STORE_ADVICE, restrictData, tidyData } from "./composition/data-folder.js";
import { openCatalog } from "./composition/open-catalog.js";
import { StartupError } from "./composition/startup-error.js";
import { makeReporter } from "./monitoring/background-reports.js";
import { keepState, type StateKeeper } from "./monitoring/keep-state.js";
import type { Log } from "./monitoring/logger.js";
import { measureProcess } from "./monitoring/metrics.js";
import { checkAfterCrash } from "./processes/check-after-crash.js";
import { serveHttp } from "./processes/serve-http.js";
import { startProcesses } from "./processes/start-processes.js";
import { tendRelay } from "./relay/start-relay.js";
import { tendIndex } from "./relay/tend-index.js";
import { type Setup, type StartedWriter, startReaders, startWriter, tellOfStarts } from "./threads/start-threads.js";
import { watchMain } from "./threads/watch-main.js";
import type { Remote } from "./threads/workers.js";

/** A server that answers. */
interface RunningServer {
  /** Where it listens: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Stops accepting, finishes what runs, ends threads and processes and gives the data folder back. */
  close(): Promise<void>;
}

/**
 * Starts the whole service: the data folder (if the data is there), the writer, then what reads and answers HTTP, in
 * this process or in several others. Where nothing can be written (disk full or read-only) but a database is there, it
 * serves reads, and writes are answered 503.
 *
 * @throws StartupError, or another Error whose message says what is wrong
 */
export async function startServer(config: Config, log: Log): Promise<RunningServer> {
  const closers: (() => unknown)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  const { logger } = log;
  try {
    const registry = new Registry();
    const keeper = keepState(logger, registry);
    log.reportTo(
      makeReporter((report) => keeper.report("http", report)),
      registry,
    );
    const setup: Setup = { config, catalog: openCatalog(config), logger, reports: keeper.report, closers };
    watchMain(setup, registry);
    const onAnswering = isShared(config) ? () => undefined : await claimDataFolder(setup, keeper);
    const started = await startWriter(setup);
    await warnOfNewStore(setup, started);
    stopWritesOnDamage(setup, keeper, started.writer);
    await warnOfUnserved(setup, started);
    const port = await startRest(setup, started, { registry, keeper });
    const warning = warnOfAddress(config, port);
    if (warning !== undefined) logger.warn(warning);
    const url = publicUrlOf({ ...config, publicUrl: "" }, port);
    onAnswering(url);
    tendIndex(setup, registry);
    tendRelay(setup, started.writer, publicUrlOf(config, port));
    return { url, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** @returns what notes the address, and begins the check of the database if one is due */
async function claimDataFolder(setup: Setup, keeper: StateKeeper): Promise<(url: string) => void> {
  const { config, logger, closers } = setup;
  closers.push(await lockData(config));
  for (const line of await restrictData(config)) logger.warn(line);
  for (const line of await tidyData(config)) logger.warn(line);
  return checkAfterCrash(setup, keeper);
}

/** A new store is empty: a client that copies the data would take all records for deleted. */
async function warnOfNewStore({ config, logger }: Setup, { writer, refused }: StartedWriter): Promise<void> {
  if (refused !== undefined || (await writer.call("isNewStore", [])) !== true) return;
  const place = isShared(config) ? describeData(config) : resolve(config.data);
  logger.warn(`Created a new store in ${place}. ${NEW_STORE_ADVICE}`);
}

/** The writer refuses what it is asked to write once any thread or process finds the file damaged. */
function stopWritesOnDamage({ logger }: Setup, keeper: StateKeeper, writer: Remote): void {
  const tell = (): void => {
    const damage = keeper.fileDamage();
    // A writer that starts again is told when it is ready.
    if (damage === undefined || !writer.isReady()) return;
    writer.call("refuseWrites", [damage.params]).catch((error: unknown) => {
      logger.error({ err: error }, "The writer could not be informed that the file is damaged.");
    });
  };
  keeper.onFileDamage(tell);
  writer.onReady(tell);
}

/** Of what is there and cannot be used as it is. */
async function warnOfUnserved({ logger }: Setup, { writer, refused }: StartedWriter): Promise<void> {
  if (refused !== undefined) return;
  for (const line of describeUnserved((await writer.call("findUnserved", [])) as Unserved)) logger.warn(line);
  const webhooks = (await writer.call("listWebhooks", [])) as readonly WebhookStatus[];
  for (const webhook of webhooks) if (!webhook.has_secret) logger.warn(adviseSecret(webhook));
}

/** What this process knows of the whole service. */
interface Kept {
  readonly registry: Registry;
  readonly keeper: StateKeeper;
}

/** @returns the port that is listened on */
async function startRest(
  setup: Setup,
  { writer, refused }: StartedWriter,
  { registry, keeper }: Kept,
): Promise<number> {
  const { config, logger } = setup;
  const said = (): void => {
    if (refused !== undefined) logger.error({ err: refused }, `${refused.message} Reads are served meanwhile.`);
    tellOfStarts(setup, { writer, ...(refused === undefined ? {} : { refused }) });
  };
  if (config.workers > 1) {
    const port = await startProcesses(setup, { writer, registry, state: keeper.state });
    said();
    return port;
  }
  try {
    const { local, search, loader, pages } = await startReaders(setup);
    said();
    const remotes = { search, loader, writer, pages };
    measureProcess(registry, config, remotes, local);
    return await serveHttp(setup, { local, remotes, registry, state: async () => keeper.state() });
  } catch (error) {
    if (refused === undefined || error instanceof StartupError) throw error;
    throw new StartupError(`The data (${describeData(config)}) can be neither written nor read: ${refused.message}`);
  }
}
