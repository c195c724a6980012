import { LIMITS } from "../../../core/limits.js";
import type { DeliveryBatch, DeliveryOutcome, WebhookReader, WebhookWriter } from "../../../ports/changes.js";
import { isSealed, type SecretBox, secretContext } from "../../files/secret-box.js";
import {
  DEAD,
  type DeliveryColumns,
  deliveryRow,
  FAR_MS,
  PENDING,
  sealedSecret,
  statusRow,
  type WebhookColumns,
  webhookRow,
  webhookValues,
} from "../../rows/webhook-rows.js";
import type { Db } from "../connection/database.js";
import { runRead } from "../connection/map-error.js";
import { headPlace } from "./change-feed.js";

const COLUMNS = "SELECT d.id, d.change, d.attempts, d.error, d.failed FROM delivery d";

/** Earlier deliveries for the same record or term go first. */
const IS_FIRST = `NOT EXISTS (SELECT 1 FROM delivery e WHERE e.webhook = d.webhook AND e.state = ${PENDING}
  AND e.subject = d.subject AND e.id < d.id)`;
const DUE = `${COLUMNS} WHERE d.webhook = ? AND d.state = ${PENDING} AND d.due <= ? AND ${IS_FIRST}
  ORDER BY d.due, d.id LIMIT ?`;
const TOO_FAR = `${COLUMNS} WHERE d.webhook = ? AND d.state = ${PENDING} AND d.due > ? AND ${IS_FIRST}
  ORDER BY d.due, d.id LIMIT ?`;

/** Makes the reader of webhooks and their deliveries. */
export function makeWebhookReader(db: Db, secrets: SecretBox): WebhookReader {
  const count = (webhook: number, where: string): number =>
    db.sql<number>(`SELECT count(*) FROM delivery WHERE webhook = ? AND ${where}`).pluck().get(webhook) ?? 0;
  const status = (row: WebhookColumns) =>
    statusRow(
      row,
      {
        pending: count(row.id, `state = ${PENDING}`),
        retrying: count(row.id, `state = ${PENDING} AND attempts > 0`),
        dead: count(row.id, `state = ${DEAD}`),
      },
      secrets,
    );
  const rows = (): WebhookColumns[] => db.sql<WebhookColumns>("SELECT * FROM webhook ORDER BY id").all();
  return {
    list: () => runRead(() => rows().map((row) => webhookRow(row, secrets))),
    get: (id) =>
      runRead(() => {
        const row = db.sql<WebhookColumns>("SELECT * FROM webhook WHERE id = ?").get(id);
        return row && webhookRow(row, secrets);
      }),
    statuses: () => runRead(() => db.read(() => rows().map(status))),
    countPending: (webhook) => runRead(() => count(Number(webhook), `state = ${PENDING}`)),
    due: (webhook, now, limit) =>
      runRead(() => {
        const due = db.sql<DeliveryColumns>(DUE).all(Number(webhook), now, limit);
        const deliveries =
          due.length > 0 ? due : db.sql<DeliveryColumns>(TOO_FAR).all(Number(webhook), now + FAR_MS, limit);
        return deliveries.map(deliveryRow);
      }),
    dead: (webhook, limit) =>
      runRead(() => {
        const sql = `${COLUMNS} WHERE d.webhook = ? AND d.state = ${DEAD} ORDER BY d.id DESC LIMIT ?`;
        return db.sql<DeliveryColumns>(sql).all(Number(webhook), limit).map(deliveryRow);
      }),
  };
}

/** Makes the writer of webhooks in the open transaction. @param now its instant in microseconds */
export function makeWebhookWriter(db: Db, now: number, secrets: SecretBox): WebhookWriter {
  return {
    ...makeWebhookReader(db, secrets),
    add: async ({ place = headPlace(db), ...webhook }) => {
      const row = db
        .sql<WebhookColumns>(
          "INSERT INTO webhook(url, secret, filter, created, place) VALUES(?, ?, ?, ?, ?) RETURNING *",
        )
        .get(...webhookValues(webhook, place, now, secrets));
      return webhookRow(row!, secrets);
    },
    setSecret: async (id, secret) => {
      const url = db.sql<string>("SELECT url FROM webhook WHERE id = ?").pluck().get(id);
      if (url === undefined) return false;
      db.sql("UPDATE webhook SET secret = ? WHERE id = ?").run(sealedSecret(secret, url, secrets), id);
      return true;
    },
    remove: async (id) => {
      db.sql("DELETE FROM delivery WHERE webhook = ?").run(Number(id));
      return db.sql("DELETE FROM webhook WHERE id = ?").run(id).changes > 0;
    },
    queue: async (batch) => queue(db, now, batch),
    settle: async (outcomes) => {
      const givenUp = new Set<number>();
      for (const outcome of outcomes) {
        const webhook = settle(db, now, outcome);
        if (webhook !== undefined && outcome.kind === "dead") givenUp.add(webhook);
      }
      for (const webhook of givenUp) removeOldestDead(db, webhook);
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

/** `+ 0` prevents SQLite from scanning all deliveries backwards for the latest one of this subject. */
const INSERT_DELIVERY = `INSERT INTO delivery(webhook, seq, entry, subject, change, state, attempts, due)
  VALUES($webhook, $seq, $entry, $subject, $change, ${PENDING}, 0, max($due, coalesce(
    (SELECT max(due + 0) FROM delivery WHERE webhook = $webhook AND subject = $subject AND state = ${PENDING}), 0)))`;

function queue(db: Db, now: number, { webhook, from, changes, next }: DeliveryBatch): void {
  const move = db.sql("UPDATE webhook SET place = ? WHERE id = ? AND place = ?");
  if (move.run(JSON.stringify(next), webhook, JSON.stringify(from)).changes === 0) return;
  const insert = db.sql(INSERT_DELIVERY);
  for (const change of changes) {
    const { seq, entry = 0, kind, place, id } = change;
    const subject = `${kind} ${place} ${id}`;
    const due = Math.floor(now / 1_000);
    insert.run({ webhook: Number(webhook), seq, entry, subject, change: JSON.stringify(change), due });
  }
}

/** Records the outcome of a delivery. @returns its webhook, undefined if the delivery is no longer queued */
function settle(db: Db, now: number, outcome: DeliveryOutcome): number | undefined {
  const row = db
    .sql<{ webhook: number; subject: string }>(
      outcome.kind === "delivered"
        ? "DELETE FROM delivery WHERE id = ? RETURNING webhook, subject"
        : "SELECT webhook, subject FROM delivery WHERE id = ?",
    )
    .get(Number(outcome.id));
  if (row === undefined) return undefined;
  const { webhook, subject } = row;
  if (outcome.kind === "delivered") {
    db.sql("UPDATE webhook SET delivered = ? WHERE id = ?").run(now, webhook);
    return webhook;
  }
  const { id, error } = outcome;
  db.sql("UPDATE webhook SET failed = ?, error = ? WHERE id = ?").run(now, error, webhook);
  const state = outcome.kind === "dead" ? DEAD : PENDING;
  const update = db.sql("UPDATE delivery SET attempts = attempts + 1, state = ?, error = ?, failed = ? WHERE id = ?");
  update.run(state, error, now, Number(id));
  if (outcome.kind === "dead") return webhook;
  // Later deliveries for the same subject wait for the retry.
  const postpone = `UPDATE delivery SET due = ? WHERE webhook = ? AND subject = ? AND state = ${PENDING}`;
  db.sql(postpone).run(outcome.due, webhook, subject);
  return webhook;
}

/** Removes the oldest deliveries that were given up. */
function removeOldestDead(db: Db, webhook: number): void {
  const surplus = `SELECT id FROM delivery WHERE webhook = ? AND state = ${DEAD}
    ORDER BY id DESC LIMIT -1 OFFSET ${LIMITS.webhookDeadMax}`;
  db.sql(`DELETE FROM delivery WHERE id IN (${surplus})`).run(webhook);
}

/** Encrypts the secrets of webhooks that an earlier version stored as plain text, and overwrites the plain text. */
export function sealSecrets(db: Db, secrets: SecretBox): void {
  const rows = db.sql<{ id: number; url: string; secret: string }>("SELECT id, url, secret FROM webhook").all();
  const plainRows = rows.filter(({ secret }) => !isSealed(secret));
  if (plainRows.length === 0) return;
  const sealed = plainRows.map(({ id, url, secret }) => ({
    id,
    secret,
    box: secrets.seal(secret, secretContext(url)),
  }));
  // Overwritten data is filled with zeros instead of being left in the page.
  const previousSetting = db.raw.pragma("secure_delete", { simple: true });
  db.raw.pragma("secure_delete = ON");
  try {
    db.raw
      .transaction(() => {
        const update = db.sql("UPDATE webhook SET secret = ? WHERE id = ? AND secret = ?");
        for (const { id, secret, box } of sealed) update.run(box, id, secret);
      })
      .immediate();
    // The log may contain the old pages. If a read is running, the log is truncated later, as usual.
    db.raw.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    db.raw.pragma(`secure_delete = ${previousSetting}`);
  }
}
