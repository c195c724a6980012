import type { Registry } from "prom-client";
import { LIMITS } from "../../core/limits.js";
import { measureRelay, type RelayState } from "../monitoring/index-metrics.js";
import { type Setup, workerTimeLimits } from "../threads/start-threads.js";
import { startWorker } from "../threads/workers.js";

/** Starts the thread that feeds the search index of a cluster. @param registry receives the metrics of the relay */
export function superviseIndexRelay({ config, catalog, logger, reports, closers }: Setup, registry: Registry): void {
  if (config.searchUrl === "") return;
  const file = new URL("./index-relay-thread.js", import.meta.url);
  const relay = startWorker({
    name: "relay of the index",
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
