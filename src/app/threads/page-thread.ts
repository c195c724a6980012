/** Entry of the thread that makes large pages, so that they block no other request. */
import { workerData } from "node:worker_threads";
import { largePages } from "../../web/large-pages.js";
import { compose } from "../composition/compose.js";
import { serveThread } from "./serve-thread.js";
import type { ThreadData } from "./thread-data.js";

const { config, catalog } = workerData as ThreadData;

await serveThread(async (background) => {
  const { services, close } = await compose(config, catalog, { role: "pages", background });
  return { handlers: { makeLargePage: largePages(services, catalog) }, close };
});
