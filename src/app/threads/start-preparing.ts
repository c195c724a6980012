import type { BackgroundReporter } from "../../core/background.js";
import type { BinderyError } from "../../core/errors.js";
import type { PrepareServices } from "../../services/api/prepare-services.js";
import { makeLog } from "../monitoring/logger.js";
import { unpackError } from "../rpc/rpc.js";
import { BACKLOG } from "./start-threads.js";
import type { ThreadData } from "./thread-data.js";
import { type Remote, startWorker } from "./workers.js";

/** Long bodies are prepared for the writer on a thread of their own, which the first of them starts. */
export function startPreparing(
  { config, catalog }: ThreadData,
  background: BackgroundReporter,
): {
  readonly prepareRecord: PrepareServices["prepareRecord"];
  close(): Promise<void>;
} {
  let remote: Remote | undefined;
  return {
    async prepareRecord(job) {
      remote ??= startWorker({
        name: "preparing thread",
        file: new URL("./prepare-thread.js", import.meta.url),
        data: { config, catalog },
        logger: makeLog(config.logLevel).logger,
        backlog: BACKLOG,
        reports: (_source, report) => {
          if (report.kind === "success") background.onBackgroundSuccess(report.task);
          else if (report.kind === "error") background.onBackgroundError(report.task, unpackError(report.error));
          else background.onDamage(unpackError(report.error) as BinderyError);
        },
      });
      if (!remote.isReady()) await remote.started;
      return (await remote.call("prepareRecord", [job])) as Awaited<ReturnType<PrepareServices["prepareRecord"]>>;
    },
    close: async () => remote?.close(),
  };
}
