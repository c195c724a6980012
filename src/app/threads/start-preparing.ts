import type { BackgroundReporter } from "../../core/background.js";
import type { BinderyError } from "../../core/errors.js";
import type { ImportReadServices, ReadDocuments } from "../../services/api/import-services.js";
import type { PrepareResult, PrepareServices } from "../../services/api/prepare-services.js";
import type { TextBuilder } from "../composition/open-engines.js";
import { makeLog } from "../monitoring/logger.js";
import { unpackError } from "../rpc/rpc.js";
import type { ThreadData } from "./thread-data.js";
import { type Remote, startWorker, type WorkerOptions } from "./workers.js";

/** Prepares on a thread of its own what others store: long bodies, files of imports, and full text of large loads. */
interface Preparing extends PrepareServices, ImportReadServices, TextBuilder {
  close(): Promise<void>;
}

/**
 * What makes hundreds of values of each document looks less often what of them is still needed. With 192 MB an import
 * took up to 100 MB more, and as long.
 */
const IMPORT_YOUNG_MEGABYTES = 64;

/** Options for the thread of a command. It has no time limits, because some files and tables take hours. */
export const IMPORT_OPTIONS: Partial<WorkerOptions> = {
  youngMegabytes: IMPORT_YOUNG_MEGABYTES,
  callMs: () => Number.POSITIVE_INFINITY,
  silentMs: Number.POSITIVE_INFINITY,
};

/** The thread is started by the first call. @param options `IMPORT_OPTIONS` for a command */
export function startPreparing(
  { config, catalog }: ThreadData,
  background: BackgroundReporter,
  options: Partial<WorkerOptions> = {},
): Preparing {
  let remote: Remote | undefined;
  const start = (): Remote => {
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
        else background.onDamage(unpackError(report.error) as BinderyError);
      },
    });
  };
  const call = async (name: string, ...args: unknown[]): Promise<unknown> => {
    remote ??= start();
    if (!remote.isReady()) await remote.started;
    return await remote.call(name, args);
  };
  return {
    prepareRecord: async (job) => (await call("prepareRecord", job)) as PrepareResult,
    openImport: async (source) => (await call("openImport", source)) as number,
    readImport: async (opened) => (await call("readImport", opened)) as ReadDocuments | undefined,
    closeImport: async (opened) => void (await call("closeImport", opened)),
    beginTexts: async (file, g) => (await call("beginTexts", file, g)) as number,
    addTexts: async (build, first, texts) => void (await call("addTexts", build, first, texts)),
    finishTexts: async (build) => void (await call("finishTexts", build)),
    endTexts: async (build) => void (await call("endTexts", build)),
    close: async () => remote?.close(),
  };
}
