import { OPERATOR } from "../../core/actor.js";
import type { ChangePlace } from "../../core/feed/feed.js";
import type { WebhookOperatorServices } from "../api/change-services.js";
import type { Deps } from "../context/deps.js";
import { badParameter } from "../input/issues.js";
import { findPlace } from "./add-webhook.js";
import { unknownWebhook } from "./list-webhooks.js";

/** Delivers again: what was given up, or all since a cursor of the change feed. @throws PARAMETER_INVALID */
export function makeReplayWebhook({ runWrite, store }: Deps): WebhookOperatorServices["replayWebhook"] {
  return async (id, what) => {
    const place = what.kind === "since" ? await findPlace(store, what.cursor) : undefined;
    return runWrite({ actor: OPERATOR }, async (tx, note) => {
      const webhook = await tx.webhooks.get(id);
      if (webhook === undefined) throw unknownWebhook(id);
      await note({ action: "webhook.replay", kind: "webhook", id });
      if (place === undefined) return await tx.webhooks.reviveDead(id);
      if (isAfter(place, webhook.place)) {
        throw badParameter(
          "since",
          "The webhook has not reached this cursor yet; it will deliver these changes anyway.",
        );
      }
      await tx.webhooks.rewind(id, place);
      return undefined;
    });
  };
}

function isAfter(one: ChangePlace, other: ChangePlace): boolean {
  if (one.seq !== other.seq) return one.seq > other.seq;
  return (one.entry ?? Number.POSITIVE_INFINITY) > (other.entry ?? Number.POSITIVE_INFINITY);
}
