/**
 * The public change feed, the watch over changed data, and the webhooks that follow the feed. A delivery is one change
 * for one webhook.
 */
import type {
  ChangeFilter,
  ChangePage,
  ChangePageRequest,
  ChangePlace,
  DataPart,
  FeedChange,
} from "../core/feed/feed.js";

/** The public change feed of a store. */
export interface ChangeReader {
  /** Takes the same time for every place. @throws CHANGE_CURSOR_GONE if the place does not belong to this store */
  page(request: ChangePageRequest): Promise<ChangePage>;
  /** Returns the place after the last public change. Fast, because it is called many times per second. */
  head(): Promise<ChangePlace>;
}

/**
 * Checks whether an answer that was made from stored data is still current. It sees commits of all processes, and is
 * synchronous because it runs before each request that may be answered from memory.
 */
export interface DataChanges {
  /**
   * Reads the commits until now.
   * @returns the current moment: a number that increases with each commit
   */
  look(): number;
  /** Returns whether these parts are unchanged since a moment, as of the last look. */
  areSame(parts: readonly DataPart[], since: number): boolean;
}

/** A receiver of changes. */
export interface Webhook {
  readonly id: string;
  readonly url: string;
  /**
   * The key that signs deliveries. Absent: it cannot be read (for example because the data were restored without the
   * key file); nothing is sent until a new secret is set.
   */
  readonly secret?: string | undefined;
  readonly filter: ChangeFilter;
  /** ISO 8601 UTC. */
  readonly created: string;
  /** The place in the change feed up to which changes are queued or filtered out. */
  readonly place: ChangePlace;
}

/** The status of a webhook, without its secret. Times are ISO 8601 UTC. */
export interface WebhookStatus extends Omit<Webhook, "secret" | "place"> {
  readonly has_secret: boolean;
  /** Number of queued deliveries; `retrying` of them have failed before. */
  readonly pending: number;
  readonly retrying: number;
  /** Number of failed deliveries that are not retried. */
  readonly dead: number;
  readonly last_delivered?: string | undefined;
  readonly last_failed?: string | undefined;
  readonly last_error?: string | undefined;
}

/** A change that is queued for a webhook. */
export interface Delivery {
  readonly id: string;
  readonly change: FeedChange;
  /** Number of attempts. */
  readonly attempts: number;
  /** The last error. */
  readonly error?: string | undefined;
  /** Time of the last failure, ISO 8601 UTC. */
  readonly failed?: string | undefined;
}

/** Changes to queue for a webhook: all changes that match its filter between two places. */
export interface DeliveryBatch {
  readonly webhook: string;
  readonly from: ChangePlace;
  readonly changes: readonly FeedChange[];
  readonly next: ChangePlace;
}

/** The outcome of an attempt. `due`: milliseconds since 1970. */
export type DeliveryOutcome = { readonly id: string } & (
  | { readonly kind: "delivered" }
  | { readonly kind: "retry"; readonly due: number; readonly error: string }
  | { readonly kind: "dead"; readonly error: string }
);

/** Read access to webhooks and their deliveries. */
export interface WebhookReader {
  list(): Promise<readonly Webhook[]>;
  get(id: string): Promise<Webhook | undefined>;
  statuses(): Promise<readonly WebhookStatus[]>;
  /** Counts the queued deliveries of a webhook. */
  countPending(webhook: string): Promise<number>;
  /**
   * Returns the deliveries that are due, longest due first; only the earliest delivery of each record or term.
   * @param now milliseconds since 1970
   */
  due(webhook: string, now: number, limit: number): Promise<readonly Delivery[]>;
  /** Lists failed deliveries that are not retried, latest first. */
  dead(webhook: string, limit: number): Promise<readonly Delivery[]>;
}

/** Write access to webhooks and their deliveries. */
export interface WebhookWriter extends WebhookReader {
  /** @param webhook without a place it begins with the next commit */
  add(
    webhook: Pick<Webhook, "url" | "filter"> & { readonly secret: string; readonly place?: ChangePlace },
  ): Promise<Webhook>;
  /** Sets the secret that signs all further deliveries. Returns false if there is no such webhook. */
  setSecret(id: string, secret: string): Promise<boolean>;
  /** Removes a webhook and its deliveries. Returns false if there is no such webhook. */
  remove(id: string): Promise<boolean>;
  /** Queues a batch. Does nothing if the webhook does not exist or is no longer at `from`. */
  queue(batch: DeliveryBatch): Promise<void>;
  /** Records outcomes. Deliveries that are no longer queued are ignored. */
  settle(outcomes: readonly DeliveryOutcome[]): Promise<void>;
  /** Queues failed deliveries again. @returns their number */
  reviveDead(id: string): Promise<number>;
  /** Moves a webhook back to a place. Changes after it are queued again, in order. */
  rewind(id: string, place: ChangePlace): Promise<void>;
}
