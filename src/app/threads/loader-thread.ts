/** Entry of the loader thread: reads for searches, large pages, and checkpoints of the database log. */
import { type MessagePort, workerData } from "node:worker_threads";
import { compose } from "../composition/compose.js";
import { answerCalls } from "../rpc/call-link.js";
import { type PackedError, packError, unpackError } from "../rpc/rpc.js";
import { serveThread, type ThreadData } from "./serve-thread.js";

const { config, catalog } = workerData as ThreadData;

await serveThread(async (background) => {
  const { services, embedded, search, storeStats, close } = await compose(config, catalog, {
    role: "loader",
    background,
  });
  // Only the embedded engine has searches that need the loader thread.
  const connect = embedded && ((port: MessagePort) => answerCalls(port, { load: embedded.answer }));
  const findDamage = async (error: PackedError): Promise<PackedError | undefined> => {
    const damage = embedded?.findDamage(unpackError(error));
    return damage && packError(damage);
  };
  const handlers = {
    ...services,
    findDamage,
    searchStats: async () => search?.stats(),
    storeStats: async () => storeStats?.(),
  };
  return { handlers, close, connect };
});
