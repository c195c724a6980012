import { LIMITS } from "../../core/limits.js";
import type { WebhookOperatorServices } from "../api/change-services.js";
import type { Deps } from "../context/deps.js";
import { badParameter } from "../input/issues.js";

/** All webhooks without their secrets, oldest first. */
export function makeListWebhooks({ store }: Deps): WebhookOperatorServices["listWebhooks"] {
  return () => store.webhooks.statuses();
}

/** What was given up of a webhook's deliveries, latest first. @throws PARAMETER_INVALID where there is no webhook */
export function makeListDeadDeliveries({ store }: Deps): WebhookOperatorServices["listDeadDeliveries"] {
  return async (id) => {
    if ((await store.webhooks.get(id)) === undefined) throw unknownWebhook(id);
    return store.webhooks.dead(id, LIMITS.webhookDeadMax);
  };
}

export function unknownWebhook(id: string): Error {
  return badParameter("id", `There is no webhook with the id ${id}; \`webhook list\` shows the ids.`, id);
}
