import { resolve } from "node:path";
import { Registry } from "prom-client";
import { addressWarning, describeDataPlace, isShared, publicUrlOf } from "../config/derived.js";
import type { Config } from "../config/schema.js";
import type { Unserved } from "../ports/store-admin.js";
import type { WebhookStatus } from "../services/api/changes.js";
import { adviseSecret } from "../services/changes/webhooks.js";
import { openCatalog } from "./composition/open-catalog.js";
import { describeUnserved, StartupError } from "./composition/startup-errors.js";
import { lockData, NEW_STORE_ADVICE, restrictData, tidyData } from "./composition/store-files.js";
import { makeReporter } from "./monitoring/background-reports.js";
import { keepState, type StateKeeper } from "./monitoring/keep-state.js";
import type { Log } from "./monitoring/logger.js";
import { measureProcess } from "./monitoring/metrics.js";
import { checkAfterCrash } from "./processes/check-after-crash.js";
import { openSite, serveHttp } from "./processes/serve-http.js";
import { startProcesses } from "./processes/start-processes.js";
import { superviseIndexRelay, superviseRelay } from "./relay/supervise-relays.js";
import {
  reportWriterRefusals,
  type Setup,
  type StartedWriter,
  startReaders,
  startWriter,
} from "./threads/start-threads.js";
import { watchMain } from "./threads/watch-main.js";
import type { SupervisedWorker } from "./threads/workers.js";

/** A running server. */
interface RunningServer {
  /** Address on which it listens: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Accepts no more requests, finishes current ones, ends threads and processes, and unlocks the data folder. */
  close(): Promise<void>;
}

/**
 * Starts the whole service: the data folder (unless the data is in PostgreSQL), the writer, then the parts that read
 * and answer HTTP, in this process or in several others. If nothing can be written (disk full or read-only) but a
 * database exists, it serves reads, and writes are answered 503.
 *
 * @throws StartupError, or another Error whose message states the problem
 */
export async function startServer(config: Config, log: Log): Promise<RunningServer> {
  const closers: (() => unknown)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  const { logger } = log;
  try {
    // Processes that serve requests read it again. Its mistakes are reported before anything else starts.
    await openSite(config);
    const registry = new Registry();
    const keeper = keepState(logger, registry);
    log.reportTo(
      makeReporter((report) => keeper.report("http", report)),
      registry,
    );
    const setup: Setup = { config, catalog: openCatalog(config), logger, reports: keeper.report, closers };
    watchMain(setup, registry);
    const onAnswering = isShared(config) ? () => undefined : await claimDataFolder(setup, keeper);
    const startedWriter = await startWriter(setup);
    await warnOfNewStore(setup, startedWriter);
    stopWritesOnDamage(setup, keeper, startedWriter.writer);
    await warnOfUnserved(setup, startedWriter);
    const port = await startRest(setup, startedWriter, { registry, keeper });
    const warning = addressWarning(config, port);
    if (warning !== undefined) logger.warn(warning);
    const url = publicUrlOf({ ...config, publicUrl: "" }, port);
    onAnswering(url);
    superviseIndexRelay(setup, registry);
    superviseRelay(setup, startedWriter.writer, publicUrlOf(config, port));
    return { url, close: closeAll };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/**
 * Locks and tidies the data folder.
 *
 * @returns a function that notes the address of the service, and begins the check of the database if one is due
 */
async function claimDataFolder(setup: Setup, keeper: StateKeeper): Promise<(url: string) => void> {
  const { config, logger, closers } = setup;
  closers.push(await lockData(config));
  for (const line of await restrictData(config)) logger.warn(line);
  for (const line of await tidyData(config)) logger.warn(line);
  return checkAfterCrash(setup, keeper);
}

/** Warns of a new store. It is empty, so a client that copies the data would take all records for deleted. */
async function warnOfNewStore({ config, logger }: Setup, { writer, refusal }: StartedWriter): Promise<void> {
  if (refusal !== undefined || (await writer.call("isNewStore", [])) !== true) return;
  const place = isShared(config) ? describeDataPlace(config) : resolve(config.data);
  logger.warn(`Created a new store in ${place}. ${NEW_STORE_ADVICE}`);
}

/** Makes the writer refuse all writes once any thread or process finds the file damaged. */
function stopWritesOnDamage({ logger }: Setup, keeper: StateKeeper, writer: SupervisedWorker): void {
  const refuseWrites = (): void => {
    const damage = keeper.fileDamage();
    // A writer that restarts receives the damage when it is ready.
    if (damage === undefined || !writer.isReady()) return;
    writer.call("refuseWrites", [damage.params]).catch((error: unknown) => {
      logger.error({ err: error }, "The writer could not be informed that the file is damaged.");
    });
  };
  keeper.onFileDamage(refuseWrites);
  writer.onReady(refuseWrites);
}

/** Warns of stored data that cannot be served as they are, and of webhooks without a secret. */
async function warnOfUnserved({ logger }: Setup, { writer, refusal }: StartedWriter): Promise<void> {
  if (refusal !== undefined) return;
  for (const line of describeUnserved((await writer.call("findUnserved", [])) as Unserved)) logger.warn(line);
  const webhooks = (await writer.call("listWebhooks", [])) as readonly WebhookStatus[];
  for (const webhook of webhooks) if (!webhook.has_secret) logger.warn(adviseSecret(webhook));
}

/** The metrics and the state of the whole service. */
interface Monitoring {
  readonly registry: Registry;
  readonly keeper: StateKeeper;
}

/** Starts the parts that read and answer HTTP. @returns the port on which they listen */
async function startRest(
  setup: Setup,
  { writer, refusal }: StartedWriter,
  { registry, keeper }: Monitoring,
): Promise<number> {
  const { config, logger } = setup;
  const reportRefusal = (): void => {
    if (refusal !== undefined) logger.error({ err: refusal }, `${refusal.message} Reads are served meanwhile.`);
    reportWriterRefusals(setup, { writer, refusal });
  };
  if (config.workers > 1) {
    const port = await startProcesses(setup, { writer, registry, state: keeper.state });
    reportRefusal();
    return port;
  }
  try {
    const { local, search, loader, pages } = await startReaders(setup);
    reportRefusal();
    const threads = { search, loader, writer, pages };
    measureProcess(registry, config, threads, local);
    return await serveHttp(setup, { local, threads, registry, state: async () => keeper.state() });
  } catch (error) {
    if (refusal === undefined || error instanceof StartupError) throw error;
    throw new StartupError(
      `The data (${describeDataPlace(config)}) can be neither written nor read: ${refusal.message}`,
    );
  }
}
