/** Entry of the thread that delivers to webhooks. It reads the store itself, and sends its writes to the writer. */
import { workerData } from "node:worker_threads";
import { LIMITS } from "../../core/limits.js";
import { apiUrl } from "../../http/answers/links.js";
import type { WebhookRelayServices } from "../../services/api/changes.js";
import { compose } from "../composition/compose.js";
import { makeCallLink } from "../rpc/call-link.js";
import { serveThread } from "../threads/serve-thread.js";
import { startRelay } from "./relay.js";
import { makeSender } from "./send-delivery.js";
import type { RelayData } from "./supervise-relays.js";
import { runWhileLeading } from "./while-leading.js";

const { config, catalog, publicUrl } = workerData as RelayData;

await serveThread(async (background) => {
  const { services, leadership, close } = await compose(config, catalog, { role: "relay", background });
  const writer = makeCallLink("the writer", { callMs: LIMITS.writeMsMax });
  const write =
    <K extends "queueDeliveries" | "settleDeliveries">(name: K) =>
    async (...args: Parameters<WebhookRelayServices[K]>): Promise<void> =>
      void (await writer.call(name, args));
  const sender = makeSender({
    api: apiUrl({ publicUrl }),
    allowsPrivate: config.webhookPrivate === "on",
    timeoutMs: LIMITS.webhookTimeoutMs,
  });
  const writes = { queueDeliveries: write("queueDeliveries"), settleDeliveries: write("settleDeliveries") };
  const relay = runWhileLeading("webhooks", leadership, background, () =>
    startRelay({ services: { ...services, ...writes }, send: sender.send, background }),
  );
  return {
    handlers: {},
    connect: writer.connect,
    close: async () => {
      await relay.stop();
      sender.close();
      await close();
    },
  };
});
