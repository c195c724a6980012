import { createHash } from "node:crypto";
import type { FeedChange } from "../../../core/feed/feed.js";
import { LIMITS } from "../../../core/limits.js";
import type { DeliveryOutcome, WebhookReader, WebhookWriter } from "../../../ports/changes.js";
import type { SecretBox } from "../../files/secret-box.js";
import { isRowId } from "../../rows/user-rows.js";
import {
  DEAD,
  type DeliveryColumns,
  type DeliveryCounts,
  deliveryRow,
  FAR_MS,
  PENDING,
  sealedSecret,
  statusRow,
  type WebhookColumns,
  webhookRow,
  webhookValues,
} from "../../rows/webhook-rows.js";
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";
import { headPlace } from "./change-feed.js";

const SELECT_WEBHOOKS = "SELECT * FROM webhook";

const SELECT_STATUSES = `SELECT w.*, count(d.id) FILTER (WHERE d.state = ${PENDING}) AS pending,
    count(d.id) FILTER (WHERE d.state = ${PENDING} AND d.attempts > 0) AS retrying,
    count(d.id) FILTER (WHERE d.state = ${DEAD}) AS dead
  FROM webhook w LEFT JOIN delivery d ON d.webhook = w.id GROUP BY w.id ORDER BY w.id`;

const COLUMNS = "SELECT d.id, d.change, d.attempts, d.error, d.failed, d.due FROM delivery d";

/**
 * Returns SQL for due deliveries. Earlier deliveries for the same record or term go first. The first one is looked up
 * for each, by an index that starts with the subject: otherwise PostgreSQL would compare all pairs in the first minutes
 * of a long queue, until it knows its length.
 */
const dueWhere = (due: string): string => `${COLUMNS} WHERE d.webhook = $1 AND d.state = ${PENDING} AND ${due}
  AND d.id = (SELECT e.id FROM delivery e WHERE e.subject = d.subject AND e.state = ${PENDING} ORDER BY e.id LIMIT 1)
  ORDER BY d.due, d.id LIMIT $3`;

/** Deliveries that are due too far in the future are only read if no other is due. */
const SELECT_DUE = `WITH due AS (${dueWhere("d.due <= $2")}), far AS (${dueWhere(`d.due > $2 + ${FAR_MS}`)})
  SELECT * FROM due UNION ALL SELECT * FROM far WHERE NOT EXISTS (SELECT FROM due) ORDER BY due, id`;

/** Makes the reader of webhooks and their deliveries. */
export function makeWebhookReader(sql: Sql, secrets: SecretBox): WebhookReader {
  return {
    list: async () => {
      const rows = await sql.rows<WebhookColumns>(`${SELECT_WEBHOOKS} ORDER BY id`);
      return rows.map((row) => webhookRow(row, secrets));
    },
    get: async (id) => {
      const row = isRowId(id)
        ? await sql.row<WebhookColumns>(`${SELECT_WEBHOOKS} WHERE id = $1`, [Number(id)])
        : undefined;
      return row && webhookRow(row, secrets);
    },
    statuses: async () => {
      const rows = await sql.rows<WebhookColumns & DeliveryCounts>(SELECT_STATUSES);
      return rows.map(({ pending, retrying, dead, ...row }) => statusRow(row, { pending, retrying, dead }, secrets));
    },
    countPending: async (webhook) => {
      const count = `SELECT count(*) AS n FROM delivery WHERE webhook = $1 AND state = ${PENDING}`;
      return (await sql.row<{ readonly n: number }>(count, [Number(webhook)]))?.n ?? 0;
    },
    due: async (webhook, now, limit) => {
      const rows = await sql.rows<DeliveryColumns>(SELECT_DUE, [Number(webhook), now, limit]);
      return rows.map(deliveryRow);
    },
    dead: async (webhook, limit) => {
      const dead = `${COLUMNS} WHERE d.webhook = $1 AND d.state = ${DEAD} ORDER BY d.id DESC LIMIT $2`;
      return (await sql.rows<DeliveryColumns>(dead, [Number(webhook), limit])).map(deliveryRow);
    },
  };
}

/**
 * Makes the writer of webhooks in the open transaction. Each change of deliveries locks the row of their webhook first,
 * so its place moves once, and queued deliveries are counted, settled or withdrawn as a whole.
 */
export function makeWebhookWriter(tx: OpenTransaction, secrets: SecretBox): WebhookWriter {
  const { sql, now } = tx;
  const reader = makeWebhookReader(sql, secrets);
  return {
    ...reader,
    list: async () => {
      // Their number stays the same until the end: nobody can add one.
      await sql.run("LOCK TABLE webhook IN SHARE ROW EXCLUSIVE MODE");
      return reader.list();
    },
    get: async (id) => ((await lock(sql, id)) ? reader.get(id) : undefined),
    add: async ({ place, ...webhook }) => {
      const row = await sql.row<WebhookColumns>(
        "INSERT INTO webhook(url, secret, filter, created, place) VALUES($1, $2, $3, $4, $5) RETURNING *",
        webhookValues(webhook, place ?? (await headPlace(sql)), now, secrets),
      );
      return webhookRow(row!, secrets);
    },
    setSecret: async (id, secret) => {
      const url = (await reader.get(id))?.url;
      if (url === undefined) return false;
      const sealed = sealedSecret(secret, url, secrets);
      return (await sql.run("UPDATE webhook SET secret = $1 WHERE id = $2", [sealed, Number(id)])) > 0;
    },
    remove: async (id) => {
      if (!isRowId(id)) return false;
      const count = await sql.run("DELETE FROM webhook WHERE id = $1", [Number(id)]);
      await sql.run("DELETE FROM delivery WHERE webhook = $1", [Number(id)]);
      return count > 0;
    },
    queue: async ({ webhook, from, changes, next }) => {
      const move = "UPDATE webhook SET place = $1 WHERE id = $2 AND place = $3";
      const moved = await sql.run(move, [JSON.stringify(next), Number(webhook), JSON.stringify(from)]);
      if (moved > 0 && changes.length > 0) await queue(tx, webhook, changes);
    },
    settle: (outcomes) => settle(tx, outcomes),
    reviveDead: async (id) => {
      if (!(await lock(sql, id))) return 0;
      const revive = `UPDATE delivery SET state = ${PENDING}, attempts = 0, due = $1
        WHERE webhook = $2 AND state = ${DEAD}`;
      return sql.run(revive, [Math.floor(now / 1_000), Number(id)]);
    },
    rewind: async (id, place) => {
      const { seq, entry = Number.MAX_SAFE_INTEGER } = place;
      await sql.run("UPDATE webhook SET place = $1 WHERE id = $2", [JSON.stringify(place), Number(id)]);
      await sql.run("DELETE FROM delivery WHERE webhook = $1 AND (seq, entry) > ($2, $3)", [Number(id), seq, entry]);
    },
  };
}

/** Locks a webhook. @returns false if it does not exist */
async function lock(sql: Sql, id: string): Promise<boolean> {
  if (!isRowId(id)) return false;
  return (await sql.row("SELECT id FROM webhook WHERE id = $1 FOR NO KEY UPDATE", [Number(id)])) !== undefined;
}

/** A new delivery is not due before waiting ones for the same record or term. */
const INSERT_DELIVERIES = `INSERT INTO delivery(webhook, seq, entry, subject, change, state, attempts, due)
  SELECT $1::bigint, c.seq, c.entry, c.subject, c.change, ${PENDING}, 0, greatest($2::bigint, (
    SELECT max(due) FROM delivery d WHERE d.subject = c.subject AND d.state = ${PENDING}))
  FROM unnest($3::bigint[], $4::bigint[], $5::text[], $6::text[])
    WITH ORDINALITY c(seq, entry, subject, change, n) ORDER BY c.n`;

async function queue({ sql, now }: OpenTransaction, webhook: string, changes: readonly FeedChange[]): Promise<void> {
  await sql.run(INSERT_DELIVERIES, [
    Number(webhook),
    Math.floor(now / 1_000),
    changes.map(({ seq }) => seq),
    changes.map(({ entry = 0 }) => entry),
    changes.map((change) => digestSubject(webhook, change)),
    changes.map((change) => JSON.stringify(change)),
  ]);
}

/** Returns a digest, because ids of terms may be longer than entries of an index. */
function digestSubject(webhook: string, { kind, place, id }: FeedChange): string {
  return createHash("sha256").update(`${webhook} ${kind} ${place} ${id}`, "utf16le").digest("base64url");
}

/** Locks in one order, so that two relays do not wait for each other. */
const LOCK_WEBHOOKS = `SELECT id FROM webhook WHERE id IN (SELECT webhook FROM delivery WHERE id = ANY($1::bigint[]))
  ORDER BY id FOR NO KEY UPDATE`;

const DELETE_DELIVERED = `WITH gone AS (DELETE FROM delivery WHERE id = ANY($1::bigint[]) RETURNING webhook)
  UPDATE webhook SET delivered = $2 WHERE id IN (SELECT webhook FROM gone)`;

/** Later deliveries for the same record or term wait for the retry. */
const UPDATE_FAILED = `WITH failed AS (
    UPDATE delivery d SET attempts = d.attempts + 1, state = o.state, error = o.error, failed = $5,
      due = coalesce(o.due, d.due)
    FROM unnest($1::bigint[], $2::smallint[], $3::text[], $4::bigint[]) WITH ORDINALITY o(id, state, error, due, n)
    WHERE d.id = o.id RETURNING d.id, d.webhook, d.subject, d.state, d.error, d.due, o.n),
  told AS (
    UPDATE webhook w SET failed = $5, error = last.error
    FROM (SELECT DISTINCT ON (webhook) webhook, error FROM failed ORDER BY webhook, n DESC) last
    WHERE w.id = last.webhook)
  UPDATE delivery d SET due = failed.due FROM failed
  WHERE failed.state = ${PENDING} AND d.subject = failed.subject AND d.state = ${PENDING}
    AND d.id NOT IN (SELECT id FROM failed)`;

/** Deletes the oldest deliveries that were given up. */
const DELETE_OLD_DEAD = `DELETE FROM delivery WHERE id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY webhook ORDER BY id DESC) AS place FROM delivery
      WHERE state = ${DEAD} AND webhook = ANY($1::bigint[])) dead
    WHERE dead.place > ${LIMITS.webhookDeadMax})`;

/** Records the outcomes of deliveries in a few statements, regardless of their number. */
async function settle({ sql, now }: OpenTransaction, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  const delivered = outcomes.filter((outcome) => outcome.kind === "delivered");
  const failed = outcomes.filter((outcome) => outcome.kind !== "delivered");
  const webhooks = await sql.rows<{ readonly id: number }>(LOCK_WEBHOOKS, [deliveryIds(outcomes)]);
  if (delivered.length > 0) await sql.run(DELETE_DELIVERED, [deliveryIds(delivered), now]);
  if (failed.length === 0) return;
  await sql.run(UPDATE_FAILED, [
    deliveryIds(failed),
    failed.map(({ kind }) => (kind === "dead" ? DEAD : PENDING)),
    failed.map(({ error }) => error),
    failed.map((outcome) => (outcome.kind === "retry" ? outcome.due : null)),
    now,
  ]);
  if (failed.some(({ kind }) => kind === "dead")) await sql.run(DELETE_OLD_DEAD, [webhooks.map(({ id }) => id)]);
}

const deliveryIds = (outcomes: readonly DeliveryOutcome[]): readonly number[] => outcomes.map(({ id }) => Number(id));
