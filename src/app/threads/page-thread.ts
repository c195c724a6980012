/** Entry of the page thread: work on large records and bodies, which blocks no other request here. */
import { workerData } from "node:worker_threads";
import { largePages } from "../../web/large-pages.js";
import { compose } from "../composition/compose.js";
import { serveThread, yieldToRequests } from "./serve-thread.js";
import type { ThreadData } from "./thread-data.js";

const { config, catalog } = workerData as ThreadData;

/** Returns the work with its duration, which counts in the rate limits of its caller. */
function timed<Args extends readonly unknown[], Answer extends object>(work: (...args: Args) => Promise<Answer>) {
  return async (...args: Args): Promise<Answer & { readonly madeMs: number }> => {
    const start = performance.now();
    const answer = await work(...args);
    return { ...answer, madeMs: performance.now() - start };
  };
}

yieldToRequests();
await serveThread(async (background) => {
  const { services, close } = await compose(config, catalog, { role: "pages", background });
  const handlers = {
    makeLargePage: timed(largePages(services, catalog)),
    exportRecord: timed(services.exportRecord),
    exportDraft: timed(services.exportDraft),
    validateRecord: timed(services.validateRecord),
  };
  return { handlers, close };
});
