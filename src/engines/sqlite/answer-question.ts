import { lastChange } from "./change.js";
import type { Db } from "./database.js";
import { startDeadline } from "./deadline.js";
import { makeKeys } from "./keys.js";
import type { LoadedAnswer } from "./looking.js";
import { reading } from "./map-error.js";
import { ask, type Question } from "./question.js";

/**
 * Answers what searches of another thread left to be asked, each question in one read transaction.
 *
 * @param db a reading connection
 * @returns takes the time (milliseconds since 1970) after which nobody waits for the answer any more
 * @throws BinderyError QUERY_TOO_COSTLY after that time
 */
export function makeAnswerer(db: Db): (question: Question, until: number) => Promise<LoadedAnswer> {
  const keys = makeKeys(db);
  return (question, until) =>
    reading(() =>
      db.read(() => {
        const { check } = startDeadline(until - Date.now(), () => "the query");
        check();
        return { ...ask(question, { db, keys, check }), seq: lastChange(db) };
      }),
    );
}
