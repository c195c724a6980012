/**
 * Words of records as a writer adds them. New ones are appended to `new_word`, which changes a page or two: inserting
 * each into the sorted table would change a page per word. `sortNewWords` moves many at once.
 */

import { wordToken } from "../../../query/index-model/record-document.js";
import { FIELD_ONLY_PATHS } from "../../../query/index-model/record-leaves.js";
import { startSteps } from "../../background/run-steps.js";
import { type Db, writeMeta } from "../connection/database.js";
import type { Writer } from "../connection/write-connection.js";
import { makePathDictionary } from "../documents/dictionaries.js";
import { phrase } from "../documents/fts-expression.js";

/** Number of existing words that a writer remembers, so that it does not look them up for each record. */
const REMEMBERED_MAX = 200_000;

/** State of both tables as a writer knows it. */
interface WordMemory {
  /** Words that existed before the transaction of this number began. */
  readonly words: Set<string>;
  transaction: number;
  /** Words that the transaction added, which may be rolled back. */
  readonly added: Set<string>;
  /** Number of the last remembered new word. */
  last: number;
  /** Number of removals before the transaction began, by any process. */
  removals: number;
}

const newMemory = (): WordMemory => ({
  words: new Set(),
  transaction: Number.NaN,
  added: new Set(),
  last: 0,
  removals: 0,
});

/** Number of words up to which they are looked up one by one; for more, one statement takes half as long. */
const LOOKED_UP_MAX = 2_000;

const ADD_ALL = `INSERT INTO new_word(word) SELECT value FROM json_each(?)
  WHERE NOT EXISTS (SELECT 1 FROM word WHERE word.word = value)`;

/** Adds the words of a record in the open transaction. @param words each once */
export function noteWords(db: Db, words: readonly string[]): void {
  const { words: existing, added } = readMemory(db);
  const newWords = words.filter((word) => !existing.has(word) && !added.has(word));
  if (newWords.length > LOOKED_UP_MAX) {
    db.sql(ADD_ALL).run(JSON.stringify(newWords));
    for (const word of newWords) added.add(word);
    return;
  }
  const findWord = db.sql("SELECT 1 FROM word WHERE word = ?");
  const addWord = db.sql("INSERT INTO new_word(word) VALUES(?)");
  for (const word of newWords) {
    if (findWord.get(word) !== undefined) existing.add(word);
    else {
      addWord.run(word);
      added.add(word);
    }
  }
}

function readMemory(db: Db): WordMemory {
  const memory = db.once("words in the tables", newMemory);
  if (memory.transaction === db.transactions) return memory;
  memory.transaction = db.transactions;
  memory.added.clear();
  const removals = readCount(db, REMOVALS);
  if (memory.removals !== removals || memory.words.size > REMEMBERED_MAX) {
    memory.words.clear();
    memory.last = 0;
  }
  memory.removals = removals;
  for (const [id, word] of db.sql<[number, string]>(NEW_WORDS).raw().iterate(memory.last)) {
    memory.words.add(word);
    memory.last = id;
  }
  return memory;
}

const NEW_WORDS = "SELECT id, word FROM new_word WHERE id > ? ORDER BY id";

/** Key in `meta` of the number of times that indexed text was removed or replaced, whose words may be unused. */
export const REPLACED = "record texts removed or replaced";

/** Key in `meta` of the same number when the last complete sweep began. */
export const SWEPT = "record texts removed or replaced before the last sweep";

/** Key in `meta` of the number of times that words were removed from the table. */
const REMOVALS = "removals of words of records";

/** Counts in the open transaction that a record loses words. */
export function noteReplaced(db: Db): void {
  incrementCount(db, REPLACED);
}

/** Removes words from both tables in the open transaction. Every writer then forgets its remembered words. */
export function removeWords(db: Db, words: readonly string[]): void {
  const remove = db.sql("DELETE FROM word WHERE word = ?");
  for (const word of words) remove.run(word);
  // A word that is being moved must not count as existing.
  db.sql("DELETE FROM new_word WHERE word IN (SELECT value FROM json_each(?))").run(JSON.stringify(words));
  incrementCount(db, REMOVALS);
}

function incrementCount(db: Db, name: string): void {
  db.sql("INSERT INTO meta(name, value) VALUES(?, '1') ON CONFLICT DO UPDATE SET value = value + 1").run(name);
}

/** Returns a number in `meta`. */
export const readCount = (db: Db, name: string): number =>
  Number(db.sql<string>("SELECT value FROM meta WHERE name = ?").pluck().get(name) ?? 0);

/** Number of new words after which they are moved to the sorted table: the more, the more of them share pages. */
export const NEW_WORDS_MAX = 20_000;

/** Words moved per transaction (some milliseconds), and the number if nobody waits. */
const WORDS_MOVED = 500;
const WORDS_MOVED_ALONE = 10_000;

/** Returns whether there are enough new words to move. */
export function hasManyNewWords(db: Db): boolean {
  return (db.sql<number>("SELECT max(id) - min(id) FROM new_word").pluck().get() ?? 0) >= NEW_WORDS_MAX;
}

/**
 * Moves the words of `new_word` into `word`, in short transactions and in sorted order. Each is in both tables with the
 * same number until all are moved: readers always find all words, and an interrupted move starts again. Two processes
 * may do this at once.
 * @param isStopped checked before each transaction
 */
export async function sortNewWords(writer: Writer, isStopped = (): boolean => false): Promise<void> {
  const { db } = writer;
  if (isStopped()) return;
  const sortedWords = "SELECT id, word FROM new_word ORDER BY word, id";
  const rows = await writer.between(() => db.sql<[number, string]>(sortedWords).raw().all());
  const lastNumber = rows.reduce((most, [id]) => Math.max(most, id), 0);
  for (let start = 0; start < rows.length; ) {
    if (isStopped()) return;
    const end = start + (writer.isAlone() ? WORDS_MOVED_ALONE : WORDS_MOVED);
    const slice = rows.slice(start, end);
    await writer.run(() => {
      const add = db.sql("INSERT INTO word(id, word) VALUES(?, ?) ON CONFLICT DO NOTHING");
      for (const row of slice) add.run(...row);
    });
    start = end;
  }
  if (rows.length > 0 && !isStopped())
    await writer.run(() => db.sql("DELETE FROM new_word WHERE id <= ?").run(lastNumber));
}

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
