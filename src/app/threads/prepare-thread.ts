/** Entry of the thread that reads, validates and analyses long bodies before the writer stores them. It only reads. */
import { workerData } from "node:worker_threads";
import { compose } from "../composition/compose.js";
import { serveThread } from "./serve-thread.js";
import type { ThreadData } from "./thread-data.js";

const { config, catalog } = workerData as ThreadData;

await serveThread(async (background) => {
  const { services, close } = await compose(config, catalog, { role: "reader", background });
  return { handlers: { prepareRecord: services.prepareRecord }, close };
});
