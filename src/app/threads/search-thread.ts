/**
 * Entry of the search thread: searches, others while one waits for the loader thread. What will be asked it asks for
 * itself, once the first requests after the start are answered.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { compose } from "../composition/compose.js";
import { makeLoadLink } from "./load-link.js";
import { serveThread } from "./serve-thread.js";
import type { ThreadData } from "./thread-data.js";

const { config, catalog } = workerData as ThreadData;

const WARM_UP_AFTER_MS = 2_000;

/** Requests that came meanwhile are answered between two of its questions. */
const PAUSE_MS = 20;

await serveThread(async (background) => {
  const { load, connect } = makeLoadLink();
  const { services, search, storeStats, warmUp, close } = await compose(config, catalog, {
    ...{ role: "search", background, load },
  });
  const warming = new AbortController();
  const wait = (ms: number): Promise<void> => sleep(ms, undefined, { signal: warming.signal, ref: false });
  // Where it ends too early, requests take longer and say why.
  wait(WARM_UP_AFTER_MS)
    .then(() => warmUp(() => wait(PAUSE_MS)))
    .catch((error: unknown) => {
      if (!warming.signal.aborted) background.onBackgroundError("warm-up", error);
    });
  return {
    handlers: { ...services, searchStats: async () => search?.stats(), storeStats: async () => storeStats?.() },
    connect,
    close: async () => {
      warming.abort();
      await close();
    },
  };
});
