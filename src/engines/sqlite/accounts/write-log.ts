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
import type { Db } from "../connection/database.js";
import { runRead } from "../connection/map-error.js";

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

/** Makes the reader of the audit log. */
export function makeAuditReader(db: Db): AuditReader {
  return {
    list: (filter) =>
      runRead(() => {
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

const LIFETIME_MICROS = LIMITS.idempotencyHours * 3_600_000_000;

/** Maximum number of outdated answers that are removed with each new one, because more would delay it. */
const REMOVED_PER_WRITE = 16;

/** Makes the store of answers within the open transaction. @param now its instant in microseconds */
export function makeAnswers(db: Db, now: number): AnswerKeeper {
  return {
    find: async (token, key) => {
      const row = db
        .sql<{ request: string; outcome: string }>(
          "SELECT request, outcome FROM answer WHERE token = ? AND key = ? AND time > ?",
        )
        .get(Number(token), key, now - LIFETIME_MICROS);
      return row && keptAnswer(row, key);
    },
    keep: async (token, key, { request, ...kept }) => {
      db.sql(
        `DELETE FROM answer WHERE (token, key) IN
          (SELECT token, key FROM answer WHERE time <= ? ORDER BY time LIMIT ${REMOVED_PER_WRITE})`,
      ).run(now - LIFETIME_MICROS);
      db.sql("INSERT OR REPLACE INTO answer(token, key, request, time, outcome) VALUES(?, ?, ?, ?, ?)").run(
        Number(token),
        key,
        request,
        now,
        outcomeText(kept),
      );
    },
    replaceAbout: async (about, outcome) => {
      const sql = `UPDATE answer SET outcome = ? WHERE ${ABOUT} >= ? AND ${ABOUT} < ?`;
      db.sql(sql).run(outcomeText({ outcome }), ...aboutRange(about));
    },
  };
}
