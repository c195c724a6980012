import type { ChangeFilter, ChangePlace, FeedChange } from "../../../core/feed/feed.js";
import { LIMITS } from "../../../core/limits.js";
import { formatInstant } from "../../../core/time.js";
import type {
  Delivery,
  DeliveryBatch,
  DeliveryOutcome,
  Webhook,
  WebhookReader,
  WebhookStatus,
  WebhookWriter,
} from "../../../ports/webhooks.js";
import type { Db } from "../connection/database.js";
import { reading } from "../connection/map-error.js";
import { headPlace } from "./change-feed.js";
import type { SecretBox } from "./secret-box.js";

interface WebhookRow {
  readonly id: number;
  readonly url: string;
  /** As it was sealed. */
  readonly secret: string;
  readonly filter: string;
  readonly created: number;
  readonly place: string;
  readonly delivered: number | null;
  readonly failed: number | null;
  readonly error: string | null;
}

interface DeliveryRow {
  readonly id: number;
  readonly change: string;
  readonly attempts: number;
  readonly error: string | null;
  readonly failed: number | null;
}

/** How `delivery.state` says it. */
const PENDING = 0;
const DEAD = 1;

const COLUMNS = "SELECT d.id, d.change, d.attempts, d.error, d.failed FROM delivery d";

/** Earlier deliveries of the same record or item go first. */
const IS_FIRST = `NOT EXISTS (SELECT 1 FROM delivery e WHERE e.webhook = d.webhook AND e.state = ${PENDING}
  AND e.subject = d.subject AND e.id < d.id)`;
const DUE = `${COLUMNS} WHERE d.webhook = ? AND d.state = ${PENDING} AND d.due <= ? AND ${IS_FIRST}
  ORDER BY d.due, d.id LIMIT ?`;
const TOO_FAR = `${COLUMNS} WHERE d.webhook = ? AND d.state = ${PENDING} AND d.due > ? AND ${IS_FIRST}
  ORDER BY d.due, d.id LIMIT ?`;

/** No try is due later than this from now: a clock that was set back must not hold deliveries up. */
const FAR_MS = 2 * LIMITS.webhookRetryLastMs;

/** What the secret of a webhook is sealed with: moved to another URL it opens no more. */
export const secretContext = (url: string): string => `webhook ${url}`;

export function makeWebhookReader(db: Db, secrets: SecretBox): WebhookReader {
  const count = (webhook: number, where: string): number =>
    db.sql<number>(`SELECT count(*) FROM delivery WHERE webhook = ? AND ${where}`).pluck().get(webhook) ?? 0;
  const webhookOf = (row: WebhookRow): Webhook => readWebhook(row, secrets.open(row.secret, secretContext(row.url)));
  const status = (row: WebhookRow): WebhookStatus => {
    const { secret, place: _place, ...shown } = webhookOf(row);
    return {
      ...shown,
      has_secret: secret !== undefined,
      pending: count(row.id, `state = ${PENDING}`),
      retrying: count(row.id, `state = ${PENDING} AND attempts > 0`),
      dead: count(row.id, `state = ${DEAD}`),
      ...(row.delivered === null ? {} : { last_delivered: formatInstant(row.delivered) }),
      ...(row.failed === null ? {} : { last_failed: formatInstant(row.failed) }),
      ...(row.error === null ? {} : { last_error: row.error }),
    };
  };
  const rows = (): WebhookRow[] => db.sql<WebhookRow>("SELECT * FROM webhook ORDER BY id").all();
  return {
    list: () => reading(() => rows().map(webhookOf)),
    get: (id) =>
      reading(() => {
        const row = db.sql<WebhookRow>("SELECT * FROM webhook WHERE id = ?").get(id);
        return row && webhookOf(row);
      }),
    statuses: () => reading(() => db.read(() => rows().map(status))),
    countPending: (webhook) => reading(() => count(Number(webhook), `state = ${PENDING}`)),
    due: (webhook, now, limit) =>
      reading(() => {
        const due = db.sql<DeliveryRow>(DUE).all(Number(webhook), now, limit);
        const some = due.length > 0 ? due : db.sql<DeliveryRow>(TOO_FAR).all(Number(webhook), now + FAR_MS, limit);
        return some.map(deliveryOf);
      }),
    dead: (webhook, limit) =>
      reading(() => {
        const sql = `${COLUMNS} WHERE d.webhook = ? AND d.state = ${DEAD} ORDER BY d.id DESC LIMIT ?`;
        return db.sql<DeliveryRow>(sql).all(Number(webhook), limit).map(deliveryOf);
      }),
  };
}

/** Writes into the open transaction. @param now its instant in microseconds */
export function makeWebhookWriter(db: Db, now: number, secrets: SecretBox): WebhookWriter {
  return {
    ...makeWebhookReader(db, secrets),
    add: async ({ url, secret, filter, place = headPlace(db) }) => {
      const row = db
        .sql<WebhookRow>("INSERT INTO webhook(url, secret, filter, created, place) VALUES(?, ?, ?, ?, ?) RETURNING *")
        .get(url, secrets.seal(secret, secretContext(url)), JSON.stringify(filter), now, JSON.stringify(place));
      return readWebhook(row!, secret);
    },
    setSecret: async (id, secret) => {
      const url = db.sql<string>("SELECT url FROM webhook WHERE id = ?").pluck().get(id);
      if (url === undefined) return false;
      db.sql("UPDATE webhook SET secret = ? WHERE id = ?").run(secrets.seal(secret, secretContext(url)), id);
      return true;
    },
    remove: async (id) => {
      db.sql("DELETE FROM delivery WHERE webhook = ?").run(Number(id));
      return db.sql("DELETE FROM webhook WHERE id = ?").run(id).changes > 0;
    },
    queue: async (batch) => queue(db, now, batch),
    settle: async (outcomes) => {
      for (const outcome of outcomes) settle(db, now, outcome);
    },
    reviveDead: async (id) => {
      const sql = `UPDATE delivery SET state = ${PENDING}, attempts = 0, due = ? WHERE webhook = ? AND state = ${DEAD}`;
      return db.sql(sql).run(Math.floor(now / 1_000), Number(id)).changes;
    },
    rewind: async (id, place) => {
      const { seq, entry = Number.MAX_SAFE_INTEGER } = place;
      db.sql("DELETE FROM delivery WHERE webhook = ? AND (seq, entry) > (?, ?)").run(Number(id), seq, entry);
      db.sql("UPDATE webhook SET place = ? WHERE id = ?").run(JSON.stringify(place), id);
    },
  };
}

const INSERT = `INSERT INTO delivery(webhook, seq, entry, subject, change, state, attempts, due)
  VALUES($webhook, $seq, $entry, $subject, $change, ${PENDING}, 0, max($due, coalesce(
    (SELECT max(due) FROM delivery WHERE webhook = $webhook AND subject = $subject AND state = ${PENDING}), 0)))`;

function queue(db: Db, now: number, { webhook, from, changes, next }: DeliveryBatch): void {
  const move = db.sql("UPDATE webhook SET place = ? WHERE id = ? AND place = ?");
  if (move.run(JSON.stringify(next), webhook, JSON.stringify(from)).changes === 0) return;
  const insert = db.sql(INSERT);
  for (const change of changes) {
    const { seq, entry = 0, kind, place, id } = change;
    const subject = `${kind} ${place} ${id}`;
    const due = Math.floor(now / 1_000);
    insert.run({ webhook: Number(webhook), seq, entry, subject, change: JSON.stringify(change), due });
  }
}

function settle(db: Db, now: number, outcome: DeliveryOutcome): void {
  const row = db
    .sql<{ webhook: number; subject: string }>(
      outcome.kind === "delivered"
        ? "DELETE FROM delivery WHERE id = ? RETURNING webhook, subject"
        : "SELECT webhook, subject FROM delivery WHERE id = ?",
    )
    .get(Number(outcome.id));
  if (row === undefined) return;
  const { webhook, subject } = row;
  if (outcome.kind === "delivered") {
    db.sql("UPDATE webhook SET delivered = ? WHERE id = ?").run(now, webhook);
    return;
  }
  const { id, error } = outcome;
  db.sql("UPDATE webhook SET failed = ?, error = ? WHERE id = ?").run(now, error, webhook);
  const state = outcome.kind === "dead" ? DEAD : PENDING;
  db.sql("UPDATE delivery SET attempts = attempts + 1, state = ?, error = ?, failed = ? WHERE id = ?").run(
    ...[state, error, now, Number(id)],
  );
  if (outcome.kind === "dead") {
    forgetOldest(db, webhook);
    return;
  }
  // With it wait those behind it, so that they are not looked at meanwhile.
  db.sql(`UPDATE delivery SET due = ? WHERE webhook = ? AND subject = ? AND state = ${PENDING}`).run(
    ...[outcome.due, webhook, subject],
  );
}

/** Of what was given up the latest are kept. */
function forgetOldest(db: Db, webhook: number): void {
  const surplus = `SELECT id FROM delivery WHERE webhook = ? AND state = ${DEAD}
    ORDER BY id DESC LIMIT -1 OFFSET ${LIMITS.webhookDeadMax}`;
  db.sql(`DELETE FROM delivery WHERE id IN (${surplus})`).run(webhook);
}

function readWebhook({ id, url, filter, created, place }: WebhookRow, secret: string | undefined): Webhook {
  return {
    id: String(id),
    url,
    ...(secret === undefined ? {} : { secret }),
    filter: JSON.parse(filter) as ChangeFilter,
    created: formatInstant(created),
    place: JSON.parse(place) as ChangePlace,
  };
}

function deliveryOf({ id, change, attempts, error, failed }: DeliveryRow): Delivery {
  return {
    id: String(id),
    change: JSON.parse(change) as FeedChange,
    attempts,
    ...(error === null ? {} : { error }),
    ...(failed === null ? {} : { failed: formatInstant(failed) }),
  };
}
