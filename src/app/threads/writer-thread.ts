/** Entry of the writer thread: sets up the database, loads starter terms on the first start, and runs all writes. */
import { setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { fail, type ParamsOf } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { startSteps } from "../../engines/background/run-steps.js";
import { prepareExamples } from "../../services/metadata/prepare-record.js";
import { compose } from "../composition/compose.js";
import { refuseUnserved } from "../composition/startup-errors.js";
import { answerCalls } from "../rpc/call-link.js";
import { serveThread, type ThreadData } from "./serve-thread.js";
import { startPreparing } from "./start-preparing.js";
import { workerTimeLimits } from "./start-threads.js";

const { config, catalog } = workerData as ThreadData;

/** Delay of the warm-up, in milliseconds, so that it does not slow a start, or commands and tests that end soon. */
const WARM_UP_AFTER_MS = 10_000;
/** Pause between two examples of the warm-up, in milliseconds. */
const PAUSE_MS = 250;

await serveThread(async (background) => {
  const preparingThread = startPreparing({ config, catalog }, background, workerTimeLimits(config, LIMITS.callMsMax));
  const {
    services,
    embedded,
    isNew,
    storeStats,
    close: closeWriter,
  } = await compose(config, catalog, {
    role: "writer",
    background,
    prepareElsewhere: preparingThread.prepareRecord,
  });
  let warmUpTask: { stop(): Promise<void> } | undefined;
  const close = async (): Promise<void> => {
    void warmUpTask?.stop();
    await Promise.all([closeWriter(), preparingThread.close()]);
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
  warmUpTask = startSteps("warm-up", background, warm);
  const handlers = {
    ...services,
    isNewStore: async () => isNew,
    storeStats: async () => storeStats?.(),
    refuseWrites: async (damage: ParamsOf<"STORE_DAMAGED">) => embedded?.refuseWrites(fail("STORE_DAMAGED", damage)),
  };
  return { handlers, connect: (port) => answerCalls(port, handlers), close };
});
