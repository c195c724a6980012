/** Entry of the thread that delivers to webhooks: it reads here, and has the writer write. */
import { workerData } from "node:worker_threads";
import { LIMITS } from "../core/limits.js";
import { apiUrl } from "../http/links.js";
import type { RelayServices } from "../services/webhook-services.js";
import { makeCallLink } from "./call-link.js";
import { compose } from "./compose.js";
import { startRelay } from "./relay.js";
import { makeSender } from "./send-delivery.js";
import { serveThread } from "./serve-thread.js";
import type { RelayData } from "./start-relay.js";

const { config, catalog, publicUrl } = workerData as RelayData;

await serveThread(async (background) => {
  const { services, close } = await compose(config, catalog, { place: "relay", background });
  const writer = makeCallLink("the writer");
  const write =
    <K extends "queueDeliveries" | "settleDeliveries">(name: K) =>
    async (...args: Parameters<RelayServices[K]>): Promise<void> =>
      void (await writer.call(name, args));
  const sender = makeSender({
    api: apiUrl({ publicUrl }),
    allowsPrivate: config.webhookPrivate === "on",
    timeoutMs: LIMITS.webhookTimeoutMs,
  });
  const written = { queueDeliveries: write("queueDeliveries"), settleDeliveries: write("settleDeliveries") };
  const relay = startRelay({ services: { ...services, ...written }, send: sender.send, background });
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
