import type { Registry } from "prom-client";
import { LIMITS } from "../../core/limits.js";
import { measureRelay, type RelayState } from "../monitoring/index-metrics.js";
import { limitsOf, type Setup } from "../threads/start-threads.js";
import { startWorker } from "../threads/workers.js";

/** Starts the thread that feeds the index, where that lies beside the database. @param registry gets how it does */
export function tendIndex({ config, catalog, logger, reports, closers }: Setup, registry: Registry): void {
  if (config.searchUrl === "") return;
  const file = new URL("./index-relay-thread.js", import.meta.url);
  const feeder = startWorker({
    name: "relay of the index",
    file,
    data: { config, catalog },
    logger,
    reports,
    ...limitsOf(config, LIMITS.callMsMax),
  });
  feeder.started.catch((error: Error) => logger.error({ err: error }, `The index is not fed: ${error.message}`));
  measureRelay(registry, () => feeder.call("relayState", []) as Promise<RelayState>);
  closers.push(() => feeder.close());
}
