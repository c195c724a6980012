import type { Actor } from "../../../core/actor.js";
import type { AuditEntry } from "../../../core/audit-entry.js";
import { LIMITS } from "../../../core/limits.js";
import type { AnswerKeeper, AuditReader } from "../../../ports/store.js";
import {
  ABOUT,
  type AuditColumns,
  aboutRange,
  auditConditions,
  auditRow,
  auditValues,
  keptAnswer,
  outcomeText,
} from "../../rows/write-log-rows.js";
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";

const INSERT_LINE = `INSERT INTO audit(time, "user", token, who, action, kind, place, target, revision, whom, outcome,
    times)
  VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

/** Writes a line into the open transaction. */
export async function noteAudit({ sql, now }: OpenTransaction, actor: Actor, entry: AuditEntry): Promise<void> {
  await sql.run(INSERT_LINE, [now, ...auditValues(actor, entry)]);
}

/** Removes the oldest lines about refusals in the open transaction, except the last `keep`. */
export async function dropRefusals({ sql }: OpenTransaction, keep: number): Promise<void> {
  await sql.run(
    `DELETE FROM audit WHERE outcome <> 'done' AND id <=
      (SELECT id FROM audit WHERE outcome <> 'done' ORDER BY id DESC LIMIT 1 OFFSET $1)`,
    [keep],
  );
}

/** Makes the reader of the audit log. */
export function makeAuditReader(sql: Sql): AuditReader {
  return {
    list: async (filter) => {
      const values: (string | number)[] = [filter.limit];
      const conditions = auditConditions(filter).map(([left, value]) => `${left} $${values.push(value)}`);
      const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
      const rows = await sql.rows<AuditColumns>(`SELECT * FROM audit ${where} ORDER BY id DESC LIMIT $1`, values);
      return rows.map(auditRow);
    },
  };
}

const LIFETIME_MICROS = LIMITS.idempotencyHours * 3_600_000_000;

/** Maximum number of outdated answers that are removed with each new one, because more would delay it. */
const REMOVED_PER_WRITE = 16;

const SELECT_ANSWER = "SELECT request, outcome FROM answer WHERE token = $1 AND key = $2 AND time > $3";

/** SQL that skips rows which another transaction is deleting. */
const WRITE_ANSWER = `WITH old AS (
    SELECT token, key FROM answer WHERE time <= $6 AND (token, key) <> ($1, $2)
    ORDER BY time LIMIT ${REMOVED_PER_WRITE} FOR UPDATE SKIP LOCKED),
  dropped AS (DELETE FROM answer a USING old WHERE a.token = old.token AND a.key = old.key)
  INSERT INTO answer(token, key, request, time, outcome) VALUES($1, $2, $3, $4, $5)
    ON CONFLICT (token, key)
      DO UPDATE SET request = excluded.request, time = excluded.time, outcome = excluded.outcome`;

/** SQL that compares by bytes, like the index `answer_about`. */
const REPLACE_ABOUT = `UPDATE answer SET outcome = $3
  WHERE ${ABOUT} COLLATE "C" >= $1 AND ${ABOUT} COLLATE "C" < $2`;

/** Makes the store of answers within the open transaction. */
export function makeAnswers({ sql, now, locks }: OpenTransaction): AnswerKeeper {
  return {
    find: async (token, key) => {
      // The lock is held until the transaction ends, so that of two identical requests on any nodes one does the work.
      await locks.take("answer", `${token} ${key}`);
      const values = [Number(token), key, now - LIFETIME_MICROS];
      const row = await sql.row<{ readonly request: string; readonly outcome: string }>(SELECT_ANSWER, values);
      return row && keptAnswer(row, key);
    },
    keep: async (token, key, { request, ...kept }) => {
      await sql.run(WRITE_ANSWER, [Number(token), key, request, now, outcomeText(kept), now - LIFETIME_MICROS]);
    },
    replaceAbout: async (about, outcome) => {
      await sql.run(REPLACE_ABOUT, [...aboutRange(about), outcomeText({ outcome })]);
    },
  };
}
