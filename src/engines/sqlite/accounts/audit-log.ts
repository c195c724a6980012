import type { Actor } from "../../../core/actor.js";
import type { AuditEntry } from "../../../core/audit-entry.js";
import type { AuditReader } from "../../../ports/store.js";
import { type AuditColumns, auditConditions, auditRow, auditValues } from "../../rows/audit-rows.js";
import type { Db } from "../connection/database.js";
import { reading } from "../connection/map-error.js";

const INSERT_LINE = `INSERT INTO audit(time, user, token, who, action, kind, place, target, revision, whom, outcome,
    times)
  VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Writes a line into the open transaction. @param time instant of the transaction in microseconds */
export function noteAudit(db: Db, time: number, actor: Actor, entry: AuditEntry): void {
  db.sql(INSERT_LINE).run(time, ...auditValues(actor, entry));
}

/** Removes the oldest lines about refusals in the open transaction, except the last `keep`. */
export function dropRefusals(db: Db, keep: number): void {
  db.sql(
    `DELETE FROM audit WHERE outcome <> 'done' AND id <=
      (SELECT id FROM audit WHERE outcome <> 'done' ORDER BY id DESC LIMIT 1 OFFSET ?)`,
  ).run(keep);
}

export function makeAuditReader(db: Db): AuditReader {
  return {
    list: (filter) =>
      reading(() => {
        const conditions = auditConditions(filter);
        const where = conditions.length === 0 ? "" : `WHERE ${conditions.map(([left]) => `${left} ?`).join(" AND ")}`;
        const sql = `SELECT * FROM audit ${where} ORDER BY id DESC LIMIT ?`;
        const values = conditions.map(([, value]) => value);
        return db
          .sql<AuditColumns>(sql)
          .all(...values, filter.limit)
          .map(auditRow);
      }),
  };
}
