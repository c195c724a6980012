/** Entry of the writer thread: sets the database up, loads starter items on the first start, runs every write. */
import { setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { fail, type ParamsOf } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { startSteps } from "../../engines/background/run-steps.js";
import { prepareExamples } from "../../services/metadata/prepare-record.js";
import { refuseUnserved } from "../composition/check-stored.js";
import { compose } from "../composition/compose.js";
import { answerCalls } from "../rpc/call-link.js";
import { serveThread } from "./serve-thread.js";
import { startPreparing } from "./start-preparing.js";
import { limitsOf } from "./start-threads.js";
import type { ThreadData } from "./thread-data.js";

const { config, catalog } = workerData as ThreadData;

/** Not at once: a start, and commands and tests that end soon, have better things to do. */
const WARM_UP_AFTER_MS = 10_000;
const PAUSE_MS = 250;

await serveThread(async (background) => {
  const preparing = startPreparing({ config, catalog }, background, limitsOf(config, LIMITS.callMsMax));
  const {
    services,
    embedded,
    isNew,
    storeStats,
    close: closeWriter,
  } = await compose(config, catalog, {
    ...{ role: "writer", background },
    prepareElsewhere: preparing.prepareRecord,
  });
  let warming: { stop(): Promise<void> } | undefined;
  const close = async (): Promise<void> => {
    void warming?.stop();
    await Promise.all([closeWriter(), preparing.close()]);
  };
  try {
    refuseUnserved(await services.findUnserved());
    await services.loadStarters();
  } catch (error) {
    await close();
    throw error;
  }
  const warm = async (signal: AbortSignal): Promise<"done"> => {
    const wait = (ms: number): Promise<void> => sleep(ms, undefined, { signal, ref: false });
    await wait(WARM_UP_AFTER_MS);
    await prepareExamples(services, catalog, () => wait(PAUSE_MS));
    return "done";
  };
  warming = startSteps("warm-up", background, warm);
  const handlers = {
    ...services,
    isNewStore: async () => isNew,
    storeStats: async () => storeStats?.(),
    refuseWrites: async (damage: ParamsOf<"STORE_DAMAGED">) => embedded?.refuseWrites(fail("STORE_DAMAGED", damage)),
  };
  return { handlers, connect: (port) => answerCalls(port, handlers), close };
});
