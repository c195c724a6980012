import { makeReporter } from "../monitoring/background-reports.js";
import type { Setup } from "../threads/start-threads.js";
import type { ThreadData } from "../threads/thread-data.js";
import { linkThreads, type Remote, startWorker } from "../threads/workers.js";

/** What the thread that delivers gets. */
export interface RelayData extends ThreadData {
  /** Base of the links in what is sent. */
  readonly publicUrl: string;
}

/** How often it is looked whether there is a webhook. */
const LOOK_MS = 1_000;

/** Starts the thread that delivers to webhooks as soon as there is one: without any it costs a look now and then. */
export function tendRelay(
  { config, catalog, logger, reports, closers }: Setup,
  writer: Remote,
  publicUrl: string,
): void {
  const background = makeReporter((report) => reports("main", report));
  let isLooking = false;
  let isEnding = false;
  let relay: Remote | undefined;

  const timer = setInterval(async () => {
    if (isLooking || !writer.isReady()) return;
    isLooking = true;
    // A writer that is away is asked again.
    const hasWebhooks = await writer.call("hasWebhooks", []).then(
      (has) => {
        background.onBackgroundSuccess("webhooks");
        return has;
      },
      (error: unknown) => {
        if (!isEnding) background.onBackgroundError("webhooks", error);
        return false;
      },
    );
    isLooking = false;
    if (hasWebhooks === true && !isEnding) start();
  }, LOOK_MS).unref();

  const start = (): void => {
    clearInterval(timer);
    const data: RelayData = { config, catalog, publicUrl };
    const file = new URL("./relay-thread.js", import.meta.url);
    relay = startWorker({ name: "relay of webhooks", file, data, logger, reports });
    relay.started.catch((error: Error) => logger.error({ err: error }, `Webhooks get no deliveries: ${error.message}`));
    linkThreads(writer, relay);
  };

  closers.push(async () => {
    isEnding = true;
    clearInterval(timer);
    await relay?.close();
  });
}
