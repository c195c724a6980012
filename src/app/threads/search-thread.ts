/**
 * Entry of the search thread. While one search waits for the loader thread, others run. Soon after the start the thread
 * warms up its caches.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { startSteps } from "../../engines/background/run-steps.js";
import { compose } from "../composition/compose.js";
import { makeLoadLink } from "./load-link.js";
import { serveThread } from "./serve-thread.js";
import type { ThreadData } from "./thread-data.js";

const { config, catalog } = workerData as ThreadData;

/** Delay of the warm-up, in milliseconds, so that the first requests after the start are answered first. */
const WARM_UP_AFTER_MS = 2_000;

/** Pause between two questions of the warm-up, in milliseconds, in which waiting requests are answered. */
const PAUSE_MS = 20;

/** Delay before a failed warm-up is repeated, in milliseconds. Requests take longer until it succeeds. */
const RETRY_MS = 60_000;

await serveThread(async (background) => {
  const { load, connect } = makeLoadLink();
  const { services, search, storeStats, warmUp, close } = await compose(config, catalog, {
    ...{ role: "search", background, load },
  });
  const warm = async (signal: AbortSignal): Promise<"done"> => {
    const wait = (ms: number): Promise<void> => sleep(ms, undefined, { signal, ref: false });
    await wait(WARM_UP_AFTER_MS);
    await warmUp(() => wait(PAUSE_MS));
    return "done";
  };
  const warmUpTask = startSteps("warm-up", background, warm, RETRY_MS);
  return {
    handlers: { ...services, searchStats: async () => search?.stats(), storeStats: async () => storeStats?.() },
    connect,
    close: async () => {
      // Not awaited: a question may take long, and fails once all is closed.
      void warmUpTask.stop();
      await close();
    },
  };
});
