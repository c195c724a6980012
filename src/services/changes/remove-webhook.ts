import { OPERATOR } from "../../core/actor.js";
import type { WebhookOperatorServices } from "../api/change-services.js";
import type { Deps } from "../context/deps.js";
import { unknownWebhook } from "./list-webhooks.js";

/** Removes a webhook with all that was queued for it. @throws PARAMETER_INVALID where there is none */
export function makeRemoveWebhook({ runWrite }: Deps): WebhookOperatorServices["removeWebhook"] {
  return (id) =>
    runWrite({ actor: OPERATOR }, async (tx, note) => {
      if (!(await tx.webhooks.remove(id))) throw unknownWebhook(id);
      await note({ action: "webhook.remove", kind: "webhook", id });
    });
}
