import { LIMITS } from "../../../core/limits.js";
import type { DeliveryOutcome } from "../../../ports/webhooks.js";
import { DEAD, PENDING } from "../../rows/webhook-rows.js";
import type { OpenTransaction } from "../connection/write-transaction.js";

/** In one order, so that two relays do not wait for each other. */
const LOCK = `SELECT id FROM webhook WHERE id IN (SELECT webhook FROM delivery WHERE id = ANY($1::bigint[]))
  ORDER BY id FOR NO KEY UPDATE`;

const DELIVERED = `WITH gone AS (DELETE FROM delivery WHERE id = ANY($1::bigint[]) RETURNING webhook)
  UPDATE webhook SET delivered = $2 WHERE id IN (SELECT webhook FROM gone)`;

/** With a delivery that is tried again wait those behind it, so that they are not looked at meanwhile. */
const FAILED = `WITH failed AS (
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

/** Of what was given up the latest are kept. */
const FORGET = `DELETE FROM delivery WHERE id IN (
    SELECT id FROM (
      SELECT id, row_number() OVER (PARTITION BY webhook ORDER BY id DESC) AS place FROM delivery
      WHERE state = ${DEAD} AND webhook = ANY($1::bigint[])) dead
    WHERE dead.place > ${LIMITS.webhookDeadMax})`;

/** Notes what became of tries, in a few statements however many there are. */
export async function settle({ sql, now }: OpenTransaction, outcomes: readonly DeliveryOutcome[]): Promise<void> {
  const delivered = outcomes.filter((outcome) => outcome.kind === "delivered");
  const failed = outcomes.filter((outcome) => outcome.kind !== "delivered");
  const webhooks = await sql.rows<{ readonly id: number }>(LOCK, [idsOf(outcomes)]);
  if (delivered.length > 0) await sql.run(DELIVERED, [idsOf(delivered), now]);
  if (failed.length === 0) return;
  await sql.run(FAILED, [
    idsOf(failed),
    failed.map(({ kind }) => (kind === "dead" ? DEAD : PENDING)),
    failed.map(({ error }) => error),
    failed.map((outcome) => (outcome.kind === "retry" ? outcome.due : null)),
    now,
  ]);
  if (failed.some(({ kind }) => kind === "dead")) await sql.run(FORGET, [webhooks.map(({ id }) => id)]);
}

const idsOf = (outcomes: readonly DeliveryOutcome[]): readonly number[] => outcomes.map(({ id }) => Number(id));
