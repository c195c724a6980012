import { LIMITS } from "../../../core/limits.js";
import type { AnswerKeeper } from "../../../ports/store.js";
import { ABOUT, aboutRange, keptAnswer, outcomeText } from "../../rows/answer-rows.js";
import type { OpenTransaction } from "../connection/write-transaction.js";

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
