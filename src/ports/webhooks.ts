/** Webhooks and what is to be delivered to them. Each delivery is one change, to one webhook. */
import type { ChangeFilter, ChangePlace, FeedChange } from "../core/feed/feed.js";

export interface Webhook {
  readonly id: string;
  readonly url: string;
  /**
   * Signs what is sent. Absent: it cannot be read (the data was restored without its key, say), and has to be set anew;
   * nothing is sent until then.
   */
  readonly secret?: string;
  readonly filter: ChangeFilter;
  /** ISO 8601 UTC. */
  readonly created: string;
  /** What lies before it was queued, or was not wanted. */
  readonly place: ChangePlace;
}

/** A webhook as it is shown: without its secret. Times are ISO 8601 UTC. */
export interface WebhookStatus extends Omit<Webhook, "secret" | "place"> {
  readonly has_secret: boolean;
  /** Deliveries that are queued; `retrying` of them failed before. */
  readonly pending: number;
  readonly retrying: number;
  /** Deliveries that were given up. */
  readonly dead: number;
  readonly last_delivered?: string;
  readonly last_failed?: string;
  readonly last_error?: string;
}

export interface Delivery {
  readonly id: string;
  readonly change: FeedChange;
  /** How often it was tried. */
  readonly attempts: number;
  /** Why it failed last. */
  readonly error?: string;
  /** When it failed last, ISO 8601 UTC. */
  readonly failed?: string;
}

/** Changes to queue for a webhook: all that it wants between two places. */
export interface DeliveryBatch {
  readonly webhook: string;
  readonly from: ChangePlace;
  readonly changes: readonly FeedChange[];
  readonly next: ChangePlace;
}

/** What became of a try. `due`: milliseconds since 1970. */
export type DeliveryOutcome = { readonly id: string } & (
  | { readonly kind: "delivered" }
  | { readonly kind: "retry"; readonly due: number; readonly error: string }
  | { readonly kind: "dead"; readonly error: string }
);

export interface WebhookReader {
  list(): Promise<readonly Webhook[]>;
  get(id: string): Promise<Webhook | undefined>;
  statuses(): Promise<readonly WebhookStatus[]>;
  /** Queued deliveries of a webhook. */
  countPending(webhook: string): Promise<number>;
  /**
   * What may be tried now, longest due first: of each record or item only the earliest delivery.
   * @param now milliseconds since 1970
   */
  due(webhook: string, now: number, limit: number): Promise<readonly Delivery[]>;
  /** Deliveries that were given up, latest first. */
  dead(webhook: string, limit: number): Promise<readonly Delivery[]>;
}

export interface WebhookWriter extends WebhookReader {
  /** @param webhook without a place it begins with what is committed after it */
  add(
    webhook: Pick<Webhook, "url" | "filter"> & { readonly secret: string; readonly place?: ChangePlace },
  ): Promise<Webhook>;
  /** Gives it another secret: all that is sent from then on is signed by it. False where there is no such webhook. */
  setSecret(id: string, secret: string): Promise<boolean>;
  /** Removes it with its deliveries. False where there is none. */
  remove(id: string): Promise<boolean>;
  /** Queues a batch; nothing where the webhook is gone or no longer at `from`. */
  queue(batch: DeliveryBatch): Promise<void>;
  /** What is no longer queued is no error. */
  settle(outcomes: readonly DeliveryOutcome[]): Promise<void>;
  /** Queues anew what was given up. @returns how many */
  reviveDead(id: string): Promise<number>;
  /** Goes back to a place: what lies after it is queued again, in its order. */
  rewind(id: string, place: ChangePlace): Promise<void>;
}
