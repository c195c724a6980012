import { FIELD_ONLY_PATHS } from "../../../query/index-model/record-leaves.js";
import { wordToken } from "../../../query/index-model/record-tokens.js";
import { startSteps } from "../../background/run-steps.js";
import { writeMeta } from "../connection/database.js";
import type { Writer } from "../connection/write-connection.js";
import { phrase } from "../documents/fts-expression.js";
import { makePathDictionary } from "../documents/path-dictionary.js";
import { REPLACED, readCount, removeWords, SWEPT } from "./note-words.js";
import { sortNewWords } from "./sort-new-words.js";

/** Words that one step reads. */
const WORDS_AT_ONCE = 1_000;

/** A step looks words up for so long: 10 microseconds each, and ten times as many where the index has many segments. */
const STEP_MS = 4;

/** Between two steps of a sweep. */
const PAUSE_MS = 50;

/** How often it is looked whether a sweep is due. */
const LOOK_MS = 60_000;

/** After a sweep there is none for so many times as long as its steps took: sweeps use 5 % of the writer at most. */
const REST_FACTOR = 20;

/**
 * Removes the words that no record has any more: after records were removed or replaced the whole table is gone
 * through, in steps of some milliseconds between transactions. One that is stopped begins anew at the next start.
 */
export function startWordSweeps(writer: Writer, lookMs = LOOK_MS): { stop(): Promise<void> } {
  const { db } = writer;
  let sweep: Sweep | undefined;
  return startSteps("word-sweep", writer.background, async () => {
    const replaced = sweep?.replaced ?? readCount(db, REPLACED);
    if (sweep === undefined && replaced === readCount(db, SWEPT)) return lookMs;
    if (sweep === undefined) await sortNewWords(writer);
    const start = performance.now();
    const { after = "", workedMs = 0 } = sweep ?? {};
    const last = await sweepSome(writer, after);
    const worked = workedMs + performance.now() - start;
    sweep = last === undefined ? undefined : { replaced, after: last, workedMs: worked };
    if (sweep !== undefined) return PAUSE_MS;
    await writer.run(() => writeMeta(db.raw, SWEPT, String(replaced)));
    return Math.max(lookMs, worked * REST_FACTOR);
  });
}

/** A sweep that is under way. */
interface Sweep {
  /** The count when it began: what is removed or replaced later is for the next one. */
  readonly replaced: number;
  /** The last word that was looked up. */
  readonly after: string;
  readonly workedMs: number;
}

/** @returns the last word that was looked up; undefined: there are no more */
async function sweepSome(writer: Writer, after: string): Promise<string | undefined> {
  const { db } = writer;
  const isUsed = makeIsUsed(writer);
  const { last, unused } = await writer.between(() => {
    const some = `SELECT word FROM word WHERE word > ? ORDER BY word LIMIT ${WORDS_AT_ONCE}`;
    const next = db.sql<string>(some).pluck().all(after);
    const until = performance.now() + STEP_MS;
    const unused: string[] = [];
    let at = 0;
    do {
      const word = next[at++];
      if (word !== undefined && !isUsed(word)) unused.push(word);
    } while (at < next.length && performance.now() < until);
    return { unused, last: at < next.length || next.length === WORDS_AT_ONCE ? next[at - 1] : undefined };
  });
  // Another process may have written one of them since.
  if (unused.length > 0)
    await writer.run(() =>
      removeWords(
        db,
        unused.filter((word) => !isUsed(word)),
      ),
    );
  return last;
}

/** Looks a word up in the index, which has no rows of records that were removed. */
function makeIsUsed({ db }: Writer): (word: string) => boolean {
  const paths = makePathDictionary(db);
  const ids = FIELD_ONLY_PATHS.flatMap((path) => paths.idOf(path) ?? []);
  const find = db.sql("SELECT 1 FROM leaf WHERE leaf MATCH ? LIMIT 1").pluck();
  return (word) => {
    const tokens = [word, ...ids.map((id) => wordToken(id, word))];
    return find.get(tokens.map((token) => phrase([token])).join(" OR ")) !== undefined;
  };
}
