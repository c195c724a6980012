import { setImmediate as nextTurn } from "node:timers/promises";
import { lastChange } from "./change.js";
import type { Db } from "./database.js";
import { startDeadline } from "./deadline.js";
import { makeKeys } from "./keys.js";
import type { LoadedAnswer } from "./looking.js";
import { reading } from "./map-error.js";
import { type Answer, type Asked, ask, askColumns, type ColumnQuestion, type Question } from "./question.js";

/** Takes the time (milliseconds since 1970) after which nobody waits for the answer any more. */
type Answerer = (question: Question, until: number) => Promise<LoadedAnswer>;

/**
 * Answers what searches of another thread left to be asked, each question in one read transaction. Questions about the
 * values at paths that come together (facets do) are answered together: they read the same rows.
 *
 * @param db a reading connection
 * @throws BinderyError QUERY_TOO_COSTLY after the time
 */
export function makeAnswerer(db: Db): Answerer {
  const keys = makeKeys(db);
  const answer = <T>(until: number, work: (asked: Asked) => T): Promise<{ seq: number; found: T }> =>
    reading(() =>
      db.read(() => {
        const { check } = startDeadline(until - Date.now(), () => "the query");
        check();
        return { found: work({ db, keys, check }), seq: lastChange(db) };
      }),
    );
  let batch: Batch | undefined;
  const askTogether = async (question: ColumnQuestion, until: number): Promise<LoadedAnswer> => {
    batch ??= makeBatch(async (questions, last) => {
      batch = undefined;
      const { found, seq } = await answer(last, (asked) => askColumns(questions, asked));
      return found.map((one) => ({ ...one, seq }));
    });
    return batch.add(question, until);
  };
  return async (question, until) => {
    if (question.kind === "numbers" || question.kind === "keys") return askTogether(question, until);
    const { found, seq } = await answer(until, (asked): Answer => ask(question, asked));
    return { ...found, seq };
  };
}

/** Questions that came in one turn of the event loop. */
interface Batch {
  add(question: ColumnQuestion, until: number): Promise<LoadedAnswer>;
}

function makeBatch(
  answerAll: (questions: readonly ColumnQuestion[], until: number) => Promise<readonly LoadedAnswer[]>,
): Batch {
  const questions: ColumnQuestion[] = [];
  let last = 0;
  const answers = nextTurn().then(() => answerAll(questions, last));
  return {
    async add(question, until) {
      last = Math.max(last, until);
      const place = questions.push(question) - 1;
      return (await answers)[place]!;
    },
  };
}
