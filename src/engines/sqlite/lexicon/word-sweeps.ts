import { wordToken } from "../../../query/index-model/record-document.js";
import { FIELD_ONLY_PATHS } from "../../../query/index-model/record-leaves.js";
import { startSteps } from "../../background/run-steps.js";
import { writeMeta } from "../connection/database.js";
import type { Writer } from "../connection/write-connection.js";
import { makePathDictionary } from "../documents/dictionaries.js";
import { phrase } from "../documents/fts-expression.js";
import { REPLACED, readCount, removeWords, SWEPT, sortNewWords } from "./record-words.js";

/** Words read in one step. */
const WORDS_AT_ONCE = 1_000;

/** Time of a step for looking words up: 10 microseconds each, and ten times as many if the index has many segments. */
const STEP_MS = 4;

/** Pause between two steps of a sweep. */
const PAUSE_MS = 50;

/** Interval between checks whether a sweep is due. */
const CHECK_INTERVAL_MS = 60_000;

/** Pause after a sweep as a multiple of its working time: sweeps use at most 5 % of the writer. */
const REST_FACTOR = 20;

/**
 * Removes unused words: after records were removed or replaced, the whole table is scanned in steps of some
 * milliseconds between transactions. An interrupted sweep starts again at the next start.
 */
export function startWordSweeps(writer: Writer, checkIntervalMs = CHECK_INTERVAL_MS): { stop(): Promise<void> } {
  const { db } = writer;
  let sweep: Sweep | undefined;
  return startSteps("word-sweep", writer.background, async () => {
    const replaced = sweep?.replaced ?? readCount(db, REPLACED);
    if (sweep === undefined && replaced === readCount(db, SWEPT)) return checkIntervalMs;
    if (sweep === undefined) await sortNewWords(writer);
    const start = performance.now();
    const { after = "", workedMs = 0 } = sweep ?? {};
    const isUsed = sweep?.isUsed ?? makeIsUsed(writer);
    const lastWord = await sweepSome(writer, after, isUsed);
    const totalWorkedMs = workedMs + performance.now() - start;
    sweep = lastWord === undefined ? undefined : { replaced, after: lastWord, isUsed, workedMs: totalWorkedMs };
    if (sweep !== undefined) return PAUSE_MS;
    await writer.run(() => writeMeta(db.raw, SWEPT, String(replaced)));
    return Math.max(checkIntervalMs, totalWorkedMs * REST_FACTOR);
  });
}

/** A running sweep. */
interface Sweep {
  /** The counter when it began: later removals are left to the next sweep. */
  readonly replaced: number;
  /** The last word that was looked up. */
  readonly after: string;
  /** Test for use, which may not know the latest paths: a word is tested again before it is removed. */
  readonly isUsed: IsUsed;
  readonly workedMs: number;
}

/** Runs one step. @returns the last word that was looked up, undefined if there are no more */
async function sweepSome(writer: Writer, after: string, isUsed: IsUsed): Promise<string | undefined> {
  const { db } = writer;
  const { last, unused } = await writer.between(() => {
    const nextWords = `SELECT word FROM word WHERE word > ? ORDER BY word LIMIT ${WORDS_AT_ONCE}`;
    const next = db.sql<string>(nextWords).pluck().all(after);
    const until = performance.now() + STEP_MS;
    const unused: string[] = [];
    let at = 0;
    do {
      const word = next[at++];
      if (word !== undefined && !isUsed(word)) unused.push(word);
    } while (at < next.length && performance.now() < until);
    return { unused, last: at < next.length || next.length === WORDS_AT_ONCE ? next[at - 1] : undefined };
  });
  // Another process may have written one of the words since, also at a path that is new.
  if (unused.length > 0) {
    await writer.run(() => {
      const isUsedNow = makeIsUsed(writer);
      const words = unused.filter((word) => !isUsedNow(word));
      return removeWords(db, words);
    });
  }
  return last;
}

type IsUsed = (word: string) => boolean;

/** Makes a test that looks a word up in the index, which has no rows of removed records. It reads all paths. */
function makeIsUsed({ db }: Writer): IsUsed {
  const paths = makePathDictionary(db);
  const ids = FIELD_ONLY_PATHS.flatMap((path) => paths.findPathId(path) ?? []);
  const findRow = db.sql("SELECT 1 FROM leaf WHERE leaf MATCH ? LIMIT 1").pluck();
  return (word) => {
    const tokens = [word, ...ids.map((id) => wordToken(id, word))];
    return findRow.get(tokens.map((token) => phrase([token])).join(" OR ")) !== undefined;
  };
}
