/**
 * Entry of the search thread. While one search waits for the loader thread, others run. Soon after the start the thread
 * warms up its caches.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { startSteps } from "../../engines/background/run-steps.js";
import { compose } from "../composition/compose.js";
import type { ScanLoader } from "../composition/open-engines.js";
import { makeCallLink } from "../rpc/call-link.js";
import { serveThread, type ThreadData } from "./serve-thread.js";

const { config, catalog } = workerData as ThreadData;

/** Delay of the warm-up, in milliseconds, so that the first requests after the start are answered first. */
const WARM_UP_AFTER_MS = 2_000;

/** Pause between two reads of the warm-up, in milliseconds, in which waiting requests are answered. */
const PAUSE_MS = 20;

/** Delay before a failed warm-up is repeated, in milliseconds. Requests take longer until it succeeds. */
const RETRY_MS = 60_000;

/**
 * Calls to the loader thread only read, so they are repeated once if it ends. They wait while it restarts. A search
 * waits less than the time limit of 15 minutes, but a late answer still fills the cache.
 */
const LOADER_OPTIONS = { callMs: 15 * 60_000, connectMs: 5_000, attempts: 2 };

await serveThread(async (background) => {
  const loader = makeCallLink("the loader thread", LOADER_OPTIONS);
  const load: ScanLoader = async (...args) => (await loader.call("load", args)) as Awaited<ReturnType<ScanLoader>>;
  const { services, search, storeStats, warmUp, close } = await compose(config, catalog, {
    role: "search",
    background,
    load,
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
    connect: loader.connect,
    close: async () => {
      // Not awaited: a call to the loader may take long, and fails once all is closed.
      void warmUpTask.stop();
      await close();
    },
  };
});
