import type { ChangeKind, FeedChange } from "../../core/feed/feed.js";
import type { PublicChanges } from "../../ports/changes.js";
import type { Delivery, DeliveryBatch, DeliveryOutcome, Webhook, WebhookStatus } from "../../ports/webhooks.js";

export type { Delivery, DeliveryOutcome, FeedChange, PublicChanges, Webhook, WebhookStatus };

/** A request for a page of the change feed. Cursor `0` is before all changes. */
interface ChangesRequest {
  readonly since: string;
  readonly size: number;
  /** Excludes changes after this cursor. */
  readonly until?: string;
}

export interface ChangesAnswer {
  readonly changes: readonly FeedChange[];
  /** The cursor of the next request. */
  readonly next: string;
  /** Was this the last page when it was read? */
  readonly isEnd: boolean;
}

/** A request that waits for a change. */
interface ChangeWait {
  readonly since: string;
  readonly waitMs: number;
  /** The user or address whose waiting requests are limited. */
  readonly caller: string;
}

export interface NewWebhook {
  readonly url: string;
  readonly kind?: ChangeKind;
  readonly models?: readonly string[];
  readonly vocabularies?: readonly string[];
  /** `now`, or a cursor of the change feed: `0` delivers all changes. */
  readonly since: string;
  /** May its address be private? */
  readonly allowsPrivate: boolean;
}

/** The change feed, which is public. */
export interface ChangeServices {
  /** @throws CHANGE_CURSOR_INVALID, CHANGE_CURSOR_GONE */
  readChanges(request: ChangesRequest): Promise<ChangesAnswer>;
  /** Returns the cursor after the last change. */
  readChangeHead(): Promise<string>;
  /**
   * Waits until there is a change after the cursor, or `waitMs` have passed, or the signal is aborted, and returns
   * true. Returns false at once if too many requests wait, in total or from this caller. (It runs in the calling
   * thread, because a signal cannot be posted.) @throws CHANGE_CURSOR_INVALID
   */
  awaitChange(wait: ChangeWait, signal: AbortSignal): Promise<boolean>;
}

/** Services for the webhook relay: it reads in its own thread, and writes through the writer thread. */
export interface WebhookRelayServices {
  hasWebhooks(): Promise<boolean>;
  relayedWebhooks(): Promise<readonly Webhook[]>;
  /** Returns the next changes to queue for a webhook; undefined if there are none, or enough are queued. */
  findBatch(webhook: Webhook): Promise<DeliveryBatch | undefined>;
  /** @param now milliseconds since 1970 */
  findDue(webhook: string, now: number, limit: number): Promise<readonly Delivery[]>;
  queueDeliveries(batch: DeliveryBatch): Promise<void>;
  settleDeliveries(outcomes: readonly DeliveryOutcome[]): Promise<void>;
}

/** Webhooks, for the command line. */
export interface WebhookOperatorServices {
  /** Only the answer has the secret. @throws PARAMETER_INVALID, CHANGE_CURSOR_INVALID, CHANGE_CURSOR_GONE */
  addWebhook(input: NewWebhook): Promise<Pick<Webhook, "id" | "url" | "filter"> & { readonly secret: string }>;
  /** Sets a new secret, which only the answer has. @throws PARAMETER_INVALID if there is no such webhook */
  renewWebhookSecret(id: string): Promise<string>;
  listWebhooks(): Promise<readonly WebhookStatus[]>;
  listDeadDeliveries(id: string): Promise<readonly Delivery[]>;
  removeWebhook(id: string): Promise<void>;
  /** @returns the number of deliveries that were queued again; undefined for a cursor, whose number is unknown */
  replayWebhook(
    id: string,
    what: { readonly kind: "dead" } | { readonly kind: "since"; readonly cursor: string },
  ): Promise<number | undefined>;
}
