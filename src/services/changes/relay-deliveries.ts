import { LIMITS } from "../../core/limits.js";
import type { WebhookRelayServices } from "../api/change-services.js";
import type { Deps } from "../context/deps.js";

/** Changes that are queued in one transaction. */
const BATCH_MAX = 500;

/**
 * What the relay of webhooks asks for. The state of every delivery is in the store, so that none is lost whenever the
 * relay ends: changes are queued together with the place that they reach to, and leave the queue once they are settled.
 *
 * @param pendingMax deliveries that are queued for one webhook, at most
 */
export function makeRelayServices(
  store: Deps["store"],
  pendingMax: number = LIMITS.webhookPendingMax,
): WebhookRelayServices {
  return {
    hasWebhooks: async () => (await store.webhooks.list()).length > 0,
    relayedWebhooks: () => store.webhooks.list(),
    findBatch: async ({ id, place, filter }) => {
      const isBehind = place.entry !== undefined || (await store.changes.head()).seq > place.seq;
      if (!isBehind) return undefined;
      const room = pendingMax - (await store.webhooks.countPending(id));
      if (room <= 0) return undefined;
      const { changes, next } = await store.changes.page({ after: place, limit: Math.min(room, BATCH_MAX), filter });
      return { webhook: id, from: place, changes, next };
    },
    findDue: (webhook, now, limit) => store.webhooks.due(webhook, now, limit),
    queueDeliveries: (batch) => store.transaction((tx) => tx.webhooks.queue(batch)),
    settleDeliveries: (outcomes) => store.transaction((tx) => tx.webhooks.settle(outcomes)),
  };
}
