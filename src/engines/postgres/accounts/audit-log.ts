import type { Actor } from "../../../core/actor.js";
import type { AuditEntry } from "../../../core/audit-entry.js";
import type { AuditReader } from "../../../ports/store.js";
import { type AuditColumns, auditConditions, auditRow, auditValues } from "../../rows/audit-rows.js";
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
