/** Entry of the search thread: searches, others while one waits for the slow thread. */
import { workerData } from "node:worker_threads";
import { compose } from "./compose.js";
import { makeLoadLink } from "./load-link.js";
import { serveThread } from "./serve-thread.js";
import type { ThreadData } from "./thread-data.js";

const { config, catalog } = workerData as ThreadData;

await serveThread(async () => {
  const { load, connect } = makeLoadLink();
  const { services, close } = await compose(config, catalog, "search", load);
  return { handlers: { ...services }, connect, close };
});
