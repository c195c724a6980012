import { LIMITS } from "../../../core/limits.js";
import type { AnswerKeeper } from "../../../ports/store.js";
import { ABOUT, aboutRange, keptAnswer, outcomeText } from "../../rows/answer-rows.js";
import type { OpenTransaction } from "../connection/write-transaction.js";

const KEPT_MICROS = LIMITS.idempotencyHours * 3_600_000_000;

/** Answers that are too old and go with one that is kept: more would make it wait. */
const DROPPED_AT_ONCE = 16;

const FIND = "SELECT request, outcome FROM answer WHERE token = $1 AND key = $2 AND time > $3";

/** What another transaction is dropping just now is left to it. */
const KEEP = `WITH old AS (
    SELECT token, key FROM answer WHERE time <= $6 AND (token, key) <> ($1, $2)
    ORDER BY time LIMIT ${DROPPED_AT_ONCE} FOR UPDATE SKIP LOCKED),
  dropped AS (DELETE FROM answer a USING old WHERE a.token = old.token AND a.key = old.key)
  INSERT INTO answer(token, key, request, time, outcome) VALUES($1, $2, $3, $4, $5)
    ON CONFLICT (token, key)
      DO UPDATE SET request = excluded.request, time = excluded.time, outcome = excluded.outcome`;

/** In the order of bytes, as the index `answer_about` has it. */
const REPLACE_ABOUT = `UPDATE answer SET outcome = $3
  WHERE ${ABOUT} COLLATE "C" >= $1 AND ${ABOUT} COLLATE "C" < $2`;

/** Answers within the open transaction. */
export function makeAnswers({ sql, now, locks }: OpenTransaction): AnswerKeeper {
  return {
    find: async (token, key) => {
      // Whoever does the same has it until the end of the transaction: of two on any two nodes, one does the work.
      await locks.take("answer", `${token} ${key}`);
      const row = await sql.row<{ readonly request: string; readonly outcome: string }>(FIND, [
        ...[Number(token), key, now - KEPT_MICROS],
      ]);
      return row && keptAnswer(row, key);
    },
    keep: async (token, key, { request, ...kept }) => {
      await sql.run(KEEP, [Number(token), key, request, now, outcomeText(kept), now - KEPT_MICROS]);
    },
    replaceAbout: async (about, outcome) => {
      await sql.run(REPLACE_ABOUT, [...aboutRange(about), outcomeText({ outcome })]);
    },
  };
}
