/** Rows of webhooks and deliveries, whose columns are the same in every engine. */

import type { ChangeFilter, ChangePlace, FeedChange } from "../../core/feed/feed.js";
import { storedObject } from "../../core/json.js";
import { LIMITS } from "../../core/limits.js";
import { formatInstant } from "../../core/time.js";
import type { Delivery, Webhook, WebhookStatus } from "../../ports/changes.js";
import { type SecretBox, secretContext } from "../files/secret-box.js";

/** Columns of the row of a webhook. */
export interface WebhookColumns {
  readonly id: number;
  readonly url: string;
  /** Encrypted. */
  readonly secret: string;
  /** JSON. */
  readonly filter: string;
  /** Microseconds, like `delivered` and `failed`. */
  readonly created: number;
  /** JSON. */
  readonly place: string;
  readonly delivered: number | null;
  readonly failed: number | null;
  readonly error: string | null;
}

/** Numbers of deliveries of a webhook. */
export type DeliveryCounts = Pick<WebhookStatus, "pending" | "retrying" | "dead">;

/** Columns of the row of a delivery. */
export interface DeliveryColumns {
  readonly id: number;
  /** JSON. */
  readonly change: string;
  readonly attempts: number;
  readonly error: string | null;
  /** Microseconds. */
  readonly failed: number | null;
}

/** Value of `delivery.state` of a queued delivery. */
export const PENDING = 0;
/** Value of `delivery.state` of a failed delivery that is not retried. */
export const DEAD = 1;

/** Maximum delay of an attempt: setting back the clock must not block deliveries. */
export const FAR_MS = 2 * LIMITS.webhookRetryLastMs;

/** Converts a row to a webhook. */
export function webhookRow({ id, url, secret, filter, created, place }: WebhookColumns, secrets: SecretBox): Webhook {
  const plainSecret = secrets.open(secret, secretContext(url));
  return {
    id: String(id),
    url,
    secret: plainSecret,
    filter: storedObject<ChangeFilter>(filter, "The webhook", id),
    created: formatInstant(created),
    place: storedObject<ChangePlace>(place, "The webhook", id),
  };
}

/** Converts a row to the status of a webhook. */
export function statusRow(row: WebhookColumns, counts: DeliveryCounts, secrets: SecretBox): WebhookStatus {
  const { secret, place: _place, ...shown } = webhookRow(row, secrets);
  return {
    ...shown,
    has_secret: secret !== undefined,
    ...counts,
    last_delivered: row.delivered === null ? undefined : formatInstant(row.delivered),
    last_failed: row.failed === null ? undefined : formatInstant(row.failed),
    last_error: row.error ?? undefined,
  };
}

/** Converts a row to a delivery. */
export function deliveryRow({ id, change, attempts, error, failed }: DeliveryColumns): Delivery {
  return {
    id: String(id),
    change: storedObject<FeedChange>(change, "The delivery", id),
    attempts,
    error: error ?? undefined,
    failed: failed === null ? undefined : formatInstant(failed),
  };
}

/** Returns an encrypted secret for storage. @param url of its webhook */
export const sealedSecret = (secret: string, url: string, secrets: SecretBox): string =>
  secrets.seal(secret, secretContext(url));

/** A webhook to add. */
type NewWebhook = Pick<Webhook, "url" | "filter"> & { readonly secret: string };

/** Returns a new webhook as values of the columns url, secret, filter, created, place. @param now microseconds */
export function webhookValues(
  { url, secret, filter }: NewWebhook,
  place: ChangePlace,
  now: number,
  secrets: SecretBox,
): readonly (string | number)[] {
  return [url, sealedSecret(secret, url, secrets), JSON.stringify(filter), now, JSON.stringify(place)];
}
