/** Entry of the thread that feeds an index beside the database, as long as its service is the one that does. */
import { workerData } from "node:worker_threads";
import { compose } from "../composition/compose.js";
import type { BesideEngine } from "../composition/open-engines.js";
import type { RelayState } from "../monitoring/index-metrics.js";
import { serveThread } from "../threads/serve-thread.js";
import type { ThreadData } from "../threads/thread-data.js";
import { type Running, whileLeading } from "./while-leading.js";

const { config, catalog } = workerData as ThreadData;

await serveThread(async (background) => {
  const { search, leadership, close } = await compose(config, catalog, { role: "indexer", background });
  let relay: ReturnType<BesideEngine["startRelay"]> | undefined;
  const start = (engine: BesideEngine): Running => {
    const started = engine.startRelay(background);
    relay = started;
    const stop = async (): Promise<void> => {
      relay = undefined;
      await started.stop();
    };
    return { stop };
  };
  const running = search && whileLeading("search-index", leadership, background, () => start(search));
  const relayState = async (): Promise<RelayState> => ({
    leads: relay !== undefined,
    stepSeconds: relay?.stepSeconds() ?? Number.NaN,
  });
  return {
    handlers: { relayState },
    close: async () => {
      await running?.stop();
      await close();
    },
  };
});
