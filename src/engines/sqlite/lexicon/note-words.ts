/**
 * What a writer does with the words of records. New ones are added at the end of `new_word`, in a page or two: a place
 * in the order of all words is a page of its own for each. `sort-new-words.ts` gives them their places, many at once.
 */
import type { Db } from "../connection/database.js";

/** Words that a writer remembers to be there, so that it does not look them up for each record. */
const REMEMBERED_MAX = 200_000;

/** What a writer knows of both tables. */
interface Remembered {
  /** Words that were there before the transaction of this number began. */
  readonly words: Set<string>;
  transaction: number;
  /** Those that it added itself: they may be rolled back. */
  readonly added: Set<string>;
  /** Number of the last new word that is remembered. */
  last: number;
  /** Removals before it began, of this process or another one. */
  removals: number;
}

const newRemembered = (): Remembered => ({
  words: new Set(),
  transaction: Number.NaN,
  added: new Set(),
  last: 0,
  removals: 0,
});

/** So many words are looked up one by one; more are left to one statement, which takes half as long. */
const LOOKED_UP_MAX = 2_000;

const ADD_ALL = `INSERT INTO new_word(word) SELECT value FROM json_each(?)
  WHERE NOT EXISTS (SELECT 1 FROM word WHERE word.word = value)`;

/** Notes the words of a record in the open transaction. @param words each once */
export function noteWords(db: Db, words: readonly string[]): void {
  const { words: known, added } = rememberedIn(db);
  const fresh = words.filter((word) => !known.has(word) && !added.has(word));
  if (fresh.length > LOOKED_UP_MAX) {
    db.sql(ADD_ALL).run(JSON.stringify(fresh));
    for (const word of fresh) added.add(word);
    return;
  }
  const find = db.sql("SELECT 1 FROM word WHERE word = ?");
  const add = db.sql("INSERT INTO new_word(word) VALUES(?)");
  for (const word of fresh) {
    if (find.get(word) !== undefined) known.add(word);
    else {
      add.run(word);
      added.add(word);
    }
  }
}

function rememberedIn(db: Db): Remembered {
  const known = db.once("words in the tables", newRemembered);
  if (known.transaction === db.transactions) return known;
  known.transaction = db.transactions;
  known.added.clear();
  const removals = readCount(db, REMOVALS);
  if (known.removals !== removals || known.words.size > REMEMBERED_MAX) {
    known.words.clear();
    known.last = 0;
  }
  known.removals = removals;
  for (const [id, word] of db.sql<[number, string]>(NEW_WORDS).raw().iterate(known.last)) {
    known.words.add(word);
    known.last = id;
  }
  return known;
}

const NEW_WORDS = "SELECT id, word FROM new_word WHERE id > ? ORDER BY id";

/** In `meta`: how often indexed text was removed or replaced, whose words may be in no record any more. */
export const REPLACED = "record texts removed or replaced";

/** In `meta`: the same when the last whole sweep began. */
export const SWEPT = "record texts removed or replaced before the last sweep";

/** In `meta`: how often words were removed from the table. */
const REMOVALS = "removals of words of records";

/** Notes in the open transaction that a record loses words. */
export function noteReplaced(db: Db): void {
  addOne(db, REPLACED);
}

/** Removes words from both tables, in the open transaction; every writer looks again for those it remembers. */
export function removeWords(db: Db, words: readonly string[]): void {
  const remove = db.sql("DELETE FROM word WHERE word = ?");
  for (const word of words) remove.run(word);
  // One that is just being moved must not be taken for one that is there.
  db.sql("DELETE FROM new_word WHERE word IN (SELECT value FROM json_each(?))").run(JSON.stringify(words));
  addOne(db, REMOVALS);
}

function addOne(db: Db, name: string): void {
  db.sql("INSERT INTO meta(name, value) VALUES(?, '1') ON CONFLICT DO UPDATE SET value = value + 1").run(name);
}

/** A count in `meta`. */
export const readCount = (db: Db, name: string): number =>
  Number(db.sql<string>("SELECT value FROM meta WHERE name = ?").pluck().get(name) ?? 0);
