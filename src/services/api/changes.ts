import type { ChangeKind, FeedChange } from "../../core/feed/feed.js";
import type {
  DataChanges,
  Delivery,
  DeliveryBatch,
  DeliveryOutcome,
  Webhook,
  WebhookStatus,
} from "../../ports/changes.js";

export type { DataChanges, Delivery, DeliveryOutcome, FeedChange, Webhook, WebhookStatus };

/** A request for a page of the change feed. Cursor `0` is before all changes. */
export interface ChangesRequest {
  readonly since: string;
  readonly size: number;
  /** Excludes changes after this cursor. */
  readonly until?: string;
}

/** A page of the change feed. */
export interface ChangesAnswer {
  readonly changes: readonly FeedChange[];
  /** The cursor of the next request. */
  readonly next: string;
  /** Whether this was the last page when it was read. */
  readonly isEnd: boolean;
}

/** A request that waits for a change. */
export interface ChangeWait {
  readonly since: string;
  readonly waitMs: number;
  /** The user or address whose waiting requests are limited. */
  readonly caller: string;
}

/** A webhook to add. */
export interface NewWebhook {
  readonly url: string;
  readonly kind?: ChangeKind | undefined;
  readonly models?: readonly string[];
  readonly vocabularies?: readonly string[];
  /** `now`, or a cursor of the change feed: `0` delivers all changes. */
  readonly since: string;
  /** Whether its address may be private. */
  readonly allowsPrivate: boolean;
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
