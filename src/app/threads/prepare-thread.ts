/**
 * Entry of the preparing thread. It reads, validates and analyses long bodies and files, which the writer then stores,
 * and builds the full-text tables of large loads.
 */
import { workerData } from "node:worker_threads";
import { compose } from "../composition/compose.js";
import { serveThread, type ThreadData, yieldToRequests } from "./serve-thread.js";

const { config, catalog } = workerData as ThreadData;

yieldToRequests();
await serveThread(async (background) => {
  const { services, embedded, close } = await compose(config, catalog, { role: "preparing", background });
  const { prepareRecord, openImport, readImport, closeImport } = services;
  return { handlers: { prepareRecord, openImport, readImport, closeImport, ...embedded?.texts }, close };
});
