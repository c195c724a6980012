/** Entry of the loader thread: what searches need to have read, large pages, and checkpoints of the database log. */
import { workerData } from "node:worker_threads";
import { compose } from "../composition/compose.js";
import { answerLoads } from "./load-link.js";
import { serveThread } from "./serve-thread.js";
import type { ThreadData } from "./thread-data.js";

const { config, catalog } = workerData as ThreadData;

await serveThread(async (background) => {
  const { services, embedded, close } = await compose(config, catalog, { role: "loader", background });
  return { handlers: { ...services }, connect: (port) => answerLoads(port, embedded.answer), close };
});
