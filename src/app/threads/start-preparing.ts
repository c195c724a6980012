import type { BackgroundReporter } from "../../core/background.js";
import type { BinderyError } from "../../core/errors.js";
import type { DocumentBatch, ImportReadServices } from "../../services/api/imports.js";
import type { PrepareResult, PrepareServices } from "../../services/api/preparation.js";
import type { TextBuilder } from "../composition/open-engines.js";
import { makeLog } from "../monitoring/logger.js";
import { unpackError } from "../rpc/rpc.js";
import type { ThreadData } from "./serve-thread.js";
import { startOnDemand, startWorker, type WorkerOptions } from "./workers.js";

/** Prepares long bodies, files of imports and full text of large loads on a separate thread, for others to store. */
interface PreparingThread extends PrepareServices, ImportReadServices, TextBuilder {
  close(): Promise<void>;
}

/**
 * Size of the young generation, in megabytes. An import makes hundreds of values of each document, and a larger young
 * generation collects them less often. With 192 MB an import took up to 100 MB more, but no less time.
 */
const IMPORT_YOUNG_MEGABYTES = 64;

/** Options for the thread of a command. It has no time limits, because some files and tables take hours. */
export const IMPORT_OPTIONS: Partial<WorkerOptions> = {
  youngMegabytes: IMPORT_YOUNG_MEGABYTES,
  callMs: () => Number.POSITIVE_INFINITY,
  silentMs: Number.POSITIVE_INFINITY,
};

/** Returns the preparing thread, which starts with the first call. @param options `IMPORT_OPTIONS` for a command */
export function startPreparing(
  { config, catalog }: ThreadData,
  background: BackgroundReporter,
  options: Partial<WorkerOptions> = {},
): PreparingThread {
  const worker = startOnDemand(() => {
    const log = makeLog(config.logLevel);
    log.reportTo(background);
    return startWorker({
      name: "preparing thread",
      file: new URL("./prepare-thread.js", import.meta.url),
      data: { config, catalog },
      logger: log.logger,
      ...options,
      reports: (_source, report) => {
        if (report.kind === "success") background.onBackgroundSuccess(report.task);
        else if (report.kind === "error") background.onBackgroundError(report.task, unpackError(report.error));
        else if (report.kind === "lookup") background.onLookup(report.authority, report.outcome);
        else if (report.kind === "thread") background.onThread(report.thread, report.event);
        else if (report.kind === "caches") background.onCaches(report.usage, "preparing");
        else background.onDamage(unpackError(report.error) as BinderyError);
      },
    });
  });
  const call = (name: string, ...args: unknown[]): Promise<unknown> => worker.call(name, args);
  return {
    prepareRecord: async (job) => (await call("prepareRecord", job)) as PrepareResult,
    openImport: async (source) => (await call("openImport", source)) as number,
    readImport: async (importId) => (await call("readImport", importId)) as DocumentBatch | undefined,
    closeImport: async (importId) => void (await call("closeImport", importId)),
    beginTexts: async (file, g) => (await call("beginTexts", file, g)) as number,
    addTexts: async (build, first, texts) => void (await call("addTexts", build, first, texts)),
    finishTexts: async (build) => void (await call("finishTexts", build)),
    endTexts: async (build) => void (await call("endTexts", build)),
    close: () => worker.close(),
  };
}
