import type { ChangeKind, FeedChange } from "../../core/feed/feed.js";
import type { PublicChanges } from "../../ports/public-changes.js";
import type { Delivery, DeliveryBatch, DeliveryOutcome, Webhook, WebhookStatus } from "../../ports/webhooks.js";

export type { Delivery, DeliveryOutcome, FeedChange, PublicChanges, Webhook, WebhookStatus };

/** Cursors are those of the change feed; `0` is before all changes. */
interface ChangesRequest {
  readonly since: string;
  readonly size: number;
  /** Nothing after this cursor. */
  readonly until?: string;
}

export interface ChangesAnswer {
  readonly changes: readonly FeedChange[];
  /** The cursor to go on with; always there. */
  readonly next: string;
  /** Was there nothing more when the page was read? */
  readonly isEnd: boolean;
}

/** A request that waits for a change. */
interface ChangeWait {
  readonly since: string;
  readonly waitMs: number;
  /** For whom it counts: a user, or an address. */
  readonly caller: string;
}

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

/** The change feed, which is public. */
export interface ChangeServices {
  /** @throws CHANGE_CURSOR_INVALID, CHANGE_CURSOR_GONE */
  readChanges(request: ChangesRequest): Promise<ChangesAnswer>;
  /** The cursor after the last change. */
  readChangeHead(): Promise<string>;
  /**
   * Returns true when something changed after a cursor at which nothing followed, after `waitMs`, or when the signal
   * says that nobody waits any more; and false at once where too many wait already, or too many of this caller's. (It
   * runs where it is called: a signal cannot be posted.) @throws CHANGE_CURSOR_INVALID
   */
  awaitChange(wait: ChangeWait, signal: AbortSignal): Promise<boolean>;
}

/** For the relay of webhooks: what it reads where it runs, and what it has the writer write. */
export interface WebhookRelayServices {
  hasWebhooks(): Promise<boolean>;
  relayedWebhooks(): Promise<readonly Webhook[]>;
  /** The changes to queue next for a webhook; undefined where there are none, or enough are queued. */
  findBatch(webhook: Webhook): Promise<DeliveryBatch | undefined>;
  /** @param now milliseconds since 1970 */
  findDue(webhook: string, now: number, limit: number): Promise<readonly Delivery[]>;
  queueDeliveries(batch: DeliveryBatch): Promise<void>;
  settleDeliveries(outcomes: readonly DeliveryOutcome[]): Promise<void>;
}

/** Webhooks, for the command line. */
export interface WebhookOperatorServices {
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
