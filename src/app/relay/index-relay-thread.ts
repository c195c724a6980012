/** Entry of the thread that feeds an index beside the database, as long as its service is the one that does. */
import { workerData } from "node:worker_threads";
import { compose } from "../composition/compose.js";
import { serveThread } from "../threads/serve-thread.js";
import type { ThreadData } from "../threads/thread-data.js";
import { whileLeading } from "./while-leading.js";

const { config, catalog } = workerData as ThreadData;

await serveThread(async (background) => {
  const { search, leadership, close } = await compose(config, catalog, { role: "indexer", background });
  const relay = search && whileLeading("search-index", leadership, background, () => search.startRelay(background));
  return {
    handlers: {},
    close: async () => {
      await relay?.stop();
      await close();
    },
  };
});
