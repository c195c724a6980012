import { setImmediate as nextTurn } from "node:timers/promises";
import { lastChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import { startDeadline } from "../connection/deadline.js";
import { reading } from "../connection/map-error.js";
import { makeValueDictionary } from "../documents/value-dictionary.js";
import {
  type ColumnScan,
  type IndexScan,
  runColumnScans,
  runScan,
  type ScanContext,
  type ScanResult,
} from "./index-scan.js";
import type { LoadedScan } from "./snapshot-cache.js";

/** Takes the time (milliseconds since 1970) after which nobody waits for the answer any more. */
type ScanRunner = (question: IndexScan, until: number) => Promise<LoadedScan>;

/**
 * Answers what searches of another thread left to be asked, each question in one read transaction. Questions about the
 * values at paths that come together (facets do) are answered together: they read the same rows.
 *
 * @param db a reading connection
 * @throws BinderyError QUERY_TOO_COSTLY after the time
 */
export function makeScanRunner(db: Db): ScanRunner {
  const keys = makeValueDictionary(db);
  const answer = <T>(until: number, work: (asked: ScanContext) => T): Promise<{ seq: number; found: T }> =>
    reading(() =>
      db.read(() => {
        const { check } = startDeadline(until - Date.now(), () => "the query");
        check();
        return { found: work({ db, keys, check }), seq: lastChange(db) };
      }),
    );
  let batch: Batch | undefined;
  const askTogether = async (question: ColumnScan, until: number): Promise<LoadedScan> => {
    batch ??= makeBatch(async (questions, last) => {
      batch = undefined;
      const { found, seq } = await answer(last, (asked) => runColumnScans(questions, asked));
      return found.map((one) => ({ ...one, seq }));
    });
    return batch.add(question, until);
  };
  return async (question, until) => {
    if (question.kind === "numbers" || question.kind === "keys") return askTogether(question, until);
    const { found, seq } = await answer(until, (asked): ScanResult => runScan(question, asked));
    return { ...found, seq };
  };
}

/** Questions that came in one turn of the event loop. */
interface Batch {
  add(question: ColumnScan, until: number): Promise<LoadedScan>;
}

function makeBatch(
  answerAll: (questions: readonly ColumnScan[], until: number) => Promise<readonly LoadedScan[]>,
): Batch {
  const questions: ColumnScan[] = [];
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
