/** Entry of the writer thread: sets the database up, loads starter items on the first start, runs every write. */
import { workerData } from "node:worker_threads";
import { fail, type ParamsOf } from "../../core/errors.js";
import { refuseUnserved } from "../composition/check-stored.js";
import { compose } from "../composition/compose.js";
import { answerCalls } from "../rpc/call-link.js";
import { serveThread } from "./serve-thread.js";
import { startPreparing } from "./start-preparing.js";
import type { ThreadData } from "./thread-data.js";

const { config, catalog } = workerData as ThreadData;

await serveThread(async (background) => {
  const preparing = startPreparing({ config, catalog }, background);
  const {
    services,
    embedded,
    close: closeWriter,
  } = await compose(config, catalog, {
    ...{ role: "writer", background },
    prepareElsewhere: preparing.prepareRecord,
  });
  const close = async (): Promise<void> => {
    await Promise.all([closeWriter(), preparing.close()]);
  };
  try {
    refuseUnserved(await services.findUnserved());
    await services.loadStarters();
  } catch (error) {
    await close();
    throw error;
  }
  const handlers = {
    ...services,
    refuseWrites: async (damage: ParamsOf<"STORE_DAMAGED">) => embedded.refuseWrites(fail("STORE_DAMAGED", damage)),
  };
  return { handlers, connect: (port) => answerCalls(port, handlers), close };
});
