/**
 * Entry of the search thread: searches, others while one waits for the loader thread. What will be asked it asks for
 * itself, once the first requests after the start are answered.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { startSteps } from "../../engines/background/run-steps.js";
import { compose } from "../composition/compose.js";
import { makeLoadLink } from "./load-link.js";
import { serveThread } from "./serve-thread.js";
import type { ThreadData } from "./thread-data.js";

const { config, catalog } = workerData as ThreadData;

const WARM_UP_AFTER_MS = 2_000;

/** Requests that came meanwhile are answered between two of its questions. */
const PAUSE_MS = 20;

/** Where some of it could not be read, requests take longer until all of it is. */
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
  const warming = startSteps("warm-up", background, warm, RETRY_MS);
  return {
    handlers: { ...services, searchStats: async () => search?.stats(), storeStats: async () => storeStats?.() },
    connect,
    close: async () => {
      // What it waits for may take long, and fails once all is closed.
      void warming.stop();
      await close();
    },
  };
});
