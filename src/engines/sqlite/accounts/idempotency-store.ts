import { LIMITS } from "../../../core/limits.js";
import type { AnswerKeeper } from "../../../ports/store.js";
import { ABOUT, aboutRange, keptAnswer, outcomeText } from "../../rows/answer-rows.js";
import type { Db } from "../connection/database.js";

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
