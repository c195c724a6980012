/** Entry of the thread that feeds the search index of a cluster while its service is the leader. */
import { workerData } from "node:worker_threads";
import { compose } from "../composition/compose.js";
import type { SeparateIndex } from "../composition/open-engines.js";
import type { RelayState } from "../monitoring/index-metrics.js";
import { serveThread, type ThreadData } from "../threads/serve-thread.js";
import { runWhileLeading, type StoppableTask } from "./while-leading.js";

const { config, catalog } = workerData as ThreadData;

await serveThread(async (background) => {
  const { search, leadership, close } = await compose(config, catalog, { role: "indexer", background });
  let relay: ReturnType<SeparateIndex["startRelay"]> | undefined;
  const start = (engine: SeparateIndex): StoppableTask => {
    const indexRelay = engine.startRelay(background);
    relay = indexRelay;
    const stop = async (): Promise<void> => {
      relay = undefined;
      await indexRelay.stop();
    };
    return { stop };
  };
  const task = search && runWhileLeading("search-index", leadership, background, () => start(search));
  const relayState = async (): Promise<RelayState> => ({
    leads: relay !== undefined,
    stepSeconds: relay?.stepSeconds() ?? Number.NaN,
  });
  return {
    handlers: { relayState },
    close: async () => {
      await task?.stop();
      await close();
    },
  };
});
