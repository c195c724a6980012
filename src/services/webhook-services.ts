import type { ChangeKind } from "../ports/changes.js";
import type { Delivery, DeliveryBatch, DeliveryOutcome, Webhook, WebhookStatus } from "../ports/webhooks.js";

export type { Delivery, DeliveryOutcome, Webhook, WebhookStatus };

export interface NewWebhook {
  readonly url: string;
  readonly kind?: ChangeKind;
  readonly models?: readonly string[];
  readonly vocabularies?: readonly string[];
  /** `now`, or a cursor of the change feed: `0` delivers everything that there is. */
  readonly since: string;
  /** May it lie in the operator's own network? */
  readonly allowsPrivate: boolean;
}

/** For the relay of webhooks: what it reads where it runs, and what it has the writer write. */
export interface RelayServices {
  hasWebhooks(): Promise<boolean>;
  relayedWebhooks(): Promise<readonly Webhook[]>;
  /** The changes to queue next for a webhook; undefined where there are none, or enough are queued. */
  findBatch(webhook: Webhook): Promise<DeliveryBatch | undefined>;
  /** @param now milliseconds since 1970 */
  findDue(webhook: string, now: number, limit: number): Promise<readonly Delivery[]>;
  queueDeliveries(batch: DeliveryBatch): Promise<void>;
  settleDeliveries(outcomes: readonly DeliveryOutcome[]): Promise<void>;
}

/** Of webhooks, for the command line. */
export interface WebhookServices {
  /** The secret is shown only here. @throws PARAMETER_INVALID, CHANGE_CURSOR_INVALID, CHANGE_CURSOR_GONE */
  addWebhook(input: NewWebhook): Promise<Pick<Webhook, "id" | "url" | "filter"> & { readonly secret: string }>;
  /** Gives it a new secret, which is shown only here. @throws PARAMETER_INVALID where there is no such webhook */
  renewWebhookSecret(id: string): Promise<string>;
  listWebhooks(): Promise<readonly WebhookStatus[]>;
  listDeadDeliveries(id: string): Promise<readonly Delivery[]>;
  removeWebhook(id: string): Promise<void>;
  /** @returns how many deliveries were queued again; with a cursor that is not known yet */
  replayWebhook(
    id: string,
    what: { readonly kind: "dead" } | { readonly kind: "since"; readonly cursor: string },
  ): Promise<number | undefined>;
}
