import type { Registry } from "prom-client";
import { LIMITS } from "../../core/limits.js";
import { makeReporter } from "../monitoring/background-reports.js";
import { measureRelay, type RelayState } from "../monitoring/index-metrics.js";
import type { ThreadData } from "../threads/serve-thread.js";
import { type Setup, workerTimeLimits } from "../threads/start-threads.js";
import { linkThreads, type SupervisedWorker, startWorker } from "../threads/workers.js";

/** Data with which the relay thread starts. */
export interface RelayData extends ThreadData {
  /** Base of the links in deliveries. */
  readonly publicUrl: string;
}

/** Interval at which the store is checked for webhooks, in milliseconds. */
const POLL_MS = 1_000;

/** Starts the thread that delivers to webhooks as soon as there is a webhook. Until then it only polls the store. */
export function superviseRelay(
  { config, catalog, logger, reports, closers }: Setup,
  writer: SupervisedWorker,
  publicUrl: string,
): void {
  const background = makeReporter((report) => reports("main", report));
  let isPolling = false;
  let isClosing = false;
  let relay: SupervisedWorker | undefined;

  const timer = setInterval(async () => {
    if (isPolling || !writer.isReady()) return;
    isPolling = true;
    // If the writer is unavailable, the next poll tries again.
    const hasWebhooks = await writer.call("hasWebhooks", []).then(
      (answer) => {
        background.onBackgroundSuccess("webhooks");
        return answer;
      },
      (error: unknown) => {
        if (!isClosing) background.onBackgroundError("webhooks", error);
        return false;
      },
    );
    isPolling = false;
    if (hasWebhooks === true && !isClosing) start();
  }, POLL_MS).unref();

  const start = (): void => {
    clearInterval(timer);
    const data: RelayData = { config, catalog, publicUrl };
    const file = new URL("./relay-thread.js", import.meta.url);
    relay = startWorker({ name: "webhook relay thread", file, data, logger, reports });
    relay.started.catch((error: Error) => logger.error({ err: error }, `Webhooks get no deliveries: ${error.message}`));
    linkThreads(writer, relay);
  };

  closers.push(async () => {
    isClosing = true;
    clearInterval(timer);
    await relay?.close();
  });
}

/** Starts the thread that feeds the search index of a cluster. @param registry receives the metrics of the relay */
export function superviseIndexRelay({ config, catalog, logger, reports, closers }: Setup, registry: Registry): void {
  if (config.searchUrl === "") return;
  const file = new URL("./index-relay-thread.js", import.meta.url);
  const relay = startWorker({
    name: "index relay thread",
    file,
    data: { config, catalog },
    logger,
    reports,
    ...workerTimeLimits(config, LIMITS.callMsMax),
  });
  relay.started.catch((error: Error) => logger.error({ err: error }, `The index is not fed: ${error.message}`));
  measureRelay(registry, () => relay.call("relayState", []) as Promise<RelayState>);
  closers.push(() => relay.close());
}
