/** Entry of the page thread, which processes large records and bodies, so that they do not block other requests. */
import { workerData } from "node:worker_threads";
import { largePages } from "../../web/large-pages.js";
import { compose } from "../composition/compose.js";
import { serveThread, type ThreadData, yieldToRequests } from "./serve-thread.js";

const { config, catalog } = workerData as ThreadData;

/** Wraps a function so that its answers include its duration, which counts in the rate limits of its caller. */
function withDuration<Args extends readonly unknown[], Answer extends object>(
  work: (...args: Args) => Promise<Answer>,
) {
  return async (...args: Args): Promise<Answer & { readonly madeMs: number }> => {
    const start = performance.now();
    const answer = await work(...args);
    return { ...answer, madeMs: performance.now() - start };
  };
}

yieldToRequests();
await serveThread(async (background) => {
  const { services, caches, close } = await compose(config, catalog, { role: "pages", background });
  const handlers = {
    makeLargePage: withDuration(largePages(services, catalog, caches)),
    exportRecord: withDuration(services.exportRecord),
    exportDraft: withDuration(services.exportDraft),
    readCheckedRecord: withDuration(services.readCheckedRecord),
    readCheckedDraft: withDuration(services.readCheckedDraft),
    validateRecord: withDuration(services.validateRecord),
  };
  return { handlers, close };
});
