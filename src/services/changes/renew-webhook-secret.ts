import { OPERATOR } from "../../core/actor.js";
import { makeWebhookSecret, WEBHOOK_SECRET_BYTES } from "../../core/webhook-signature.js";
import type { WebhookOperatorServices, WebhookStatus } from "../api/change-services.js";
import type { Deps } from "../context/deps.js";
import { unknownWebhook } from "./list-webhooks.js";

/** Gives a webhook a new secret: where the old one is known to others, or cannot be read after a restore. */
export function makeRenewWebhookSecret({ runWrite, random }: Deps): WebhookOperatorServices["renewWebhookSecret"] {
  return async (id) => {
    const secret = makeWebhookSecret(random.bytes(WEBHOOK_SECRET_BYTES));
    return runWrite({ actor: OPERATOR }, async (tx, note) => {
      if (!(await tx.webhooks.setSecret(id, secret))) throw unknownWebhook(id);
      await note({ action: "webhook.secret", kind: "webhook", id });
      return secret;
    });
  };
}

/** What to do about a webhook whose secret cannot be read: the data was restored without its key, say. */
export function adviseSecret({ id, url, pending }: WebhookStatus): string {
  return (
    `Webhook ${id} (${url}): its secret cannot be read, so nothing is sent (waiting deliveries: ${pending}). Put ` +
    `the file bindery.key back into the data folder, or set a new secret: bindery webhook secret ${id}`
  );
}
