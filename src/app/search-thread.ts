/** Entry of the search thread: it answers searches, one after the other. */
import { workerData } from "node:worker_threads";
import { compose } from "./compose.js";
import { serveThread } from "./serve-thread.js";
import type { ThreadData } from "./thread-data.js";

const { config, catalog } = workerData as ThreadData;

await serveThread(async () => {
  const { services, close } = await compose(config, catalog, "reader");
  return { handlers: { ...services }, close };
});
