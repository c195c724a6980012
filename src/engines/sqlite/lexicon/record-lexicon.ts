import type { LruCache } from "../cache/lru-cache.js";
import { atOnce, type Slowly } from "../cache/slow-parts.js";
import type { Db } from "../connection/database.js";
import type { Deadline } from "../connection/deadline.js";
import { keepNear, listOfAny, type Words, wordsIn } from "./lexicon.js";
import { makeWordList, type WordList } from "./sorted-words.js";

/** Words that a writer remembers to be in the table, so that it does not look them up for each record. */
const REMEMBERED_MAX = 200_000;

/** What a writer knows of the table: words that were there before the transaction of this number began. */
interface Remembered {
  readonly words: Set<string>;
  transaction: number;
  /** Number of the last word before it began. */
  last: number;
  /** Removals before it began, of this process or another one. */
  removals: number;
}

const newRemembered = (): Remembered => ({ words: new Set(), transaction: Number.NaN, last: 0, removals: 0 });

/** So many words are looked up one by one; more are left to one statement, which takes half as long. */
const LOOKED_UP_MAX = 2_000;

/** Notes the words of a record in the open transaction. @param words each once */
export function noteWords(db: Db, words: readonly string[]): void {
  const known = db.once("words in the table", newRemembered);
  if (known.transaction !== db.transactions) {
    known.transaction = db.transactions;
    known.last = lastWord(db);
    const removals = readCount(db, REMOVALS);
    if (known.removals !== removals || known.words.size > REMEMBERED_MAX) known.words.clear();
    known.removals = removals;
  }
  const fresh = words.filter((word) => !known.words.has(word));
  if (fresh.length > LOOKED_UP_MAX) {
    db.sql(ADD_ALL).run(JSON.stringify(fresh));
    return;
  }
  const find = db.sql<number>("SELECT id FROM word WHERE word = ?").pluck();
  const add = db.sql("INSERT INTO word(word) VALUES(?)");
  for (const word of fresh) {
    const id = find.get(word);
    if (id === undefined) add.run(word);
    // What this transaction added may be rolled back.
    else if (id <= known.last) known.words.add(word);
  }
}

/** In `meta`: how often indexed text was removed or replaced, whose words may be in no record any more. */
export const REPLACED = "record texts removed or replaced";

/** In `meta`: the same when the last whole sweep began. */
export const SWEPT = "record texts removed or replaced before the last sweep";

/** In `meta`: how often words were removed from the table. */
export const REMOVALS = "removals of words of records";

/** Notes in the open transaction that a record loses words. */
export function noteReplaced(db: Db): void {
  addOne(db, REPLACED);
}

/** Removes words from the table, in the open transaction; every writer looks again for those it remembers. */
export function removeWords(db: Db, words: readonly string[]): void {
  const remove = db.sql("DELETE FROM word WHERE word = ?");
  for (const word of words) remove.run(word);
  addOne(db, REMOVALS);
}

function addOne(db: Db, name: string): void {
  db.sql("INSERT INTO meta(name, value) VALUES(?, '1') ON CONFLICT DO UPDATE SET value = value + 1").run(name);
}

/** A count in `meta`. */
export const readCount = (db: Db, name: string): number =>
  Number(db.sql<string>("SELECT value FROM meta WHERE name = ?").pluck().get(name) ?? 0);

const ADD_ALL = `INSERT INTO word(word) SELECT value FROM json_each(?) WHERE true ORDER BY value
  ON CONFLICT DO NOTHING`;

const lastWord = (db: Db): number => db.sql<number | null>("SELECT max(id) FROM word").pluck().get() ?? 0;

/** The words up to number `last`; those up to `sorted` in one list, the others in another. */
interface Kept {
  readonly list: WordList | "too large";
  readonly sorted: number;
  readonly later: readonly string[];
  readonly laterList: WordList;
  readonly last: number;
}

/** More later words than this, and than a part of all, and the list is made again. */
const LATER_MAX = 5_000;
const LATER_PART = 1 / 10;

/** Words that are read in one go. */
const WORDS_AT_ONCE = 20_000;

const KEY = "words of records";

/** The words of records. @param cache keeps their list if it fits; else they are read each time */
export function recordWords(db: Db, cache: LruCache, deadline: Deadline, slowly: Slowly = atOnce): Words {
  const { list, sorted, laterList } = upToDate(db, cache, deadline);
  if (list === "too large") return wordsIn(() => listsInTable(db, deadline));
  const listed = keepNear(list, `${KEY} up to ${sorted}`, cache, slowly);
  return wordsIn(() => [listed, laterList]);
}

function upToDate(db: Db, cache: LruCache, deadline: Deadline): Kept {
  const kept = cache.get<Kept>(KEY);
  const last = lastWord(db);
  if (kept === undefined) return makeAgain(db, cache, deadline, last);
  if (kept.last === last || kept.list === "too large") return kept;
  const came = db.sql<string>("SELECT word FROM word WHERE id > ?").pluck().all(kept.last);
  const later = [...kept.later, ...came];
  if (later.length > LATER_MAX && later.length > kept.list.size * LATER_PART) {
    return makeAgain(db, cache, deadline, last);
  }
  const grown = { ...kept, later, laterList: listOfAny(later), last };
  cache.set(KEY, grown, kept.list.bytes + grown.laterList.bytes * 4);
  return grown;
}

function makeAgain(db: Db, cache: LruCache, deadline: Deadline, last: number): Kept {
  const list = makeWordList(textsInTable(db, deadline));
  const kept: Kept = { list, sorted: last, later: [], laterList: makeWordList([]), last };
  cache.set(KEY, kept, list.bytes);
  if (cache.get(KEY) === undefined) cache.set(KEY, { ...kept, list: "too large" }, 0);
  return kept;
}

function* listsInTable(db: Db, deadline: Deadline): Generator<WordList> {
  for (const text of textsInTable(db, deadline)) yield makeWordList([text]);
}

/** All words in their order, separated by blanks. */
function* textsInTable(db: Db, deadline: Deadline): Generator<string> {
  const some = `SELECT word FROM word WHERE word > ? ORDER BY word LIMIT ${WORDS_AT_ONCE}`;
  const read = db.sql<string | null>(`SELECT group_concat(word, ' ') FROM (${some})`).pluck();
  let text = read.get("");
  while (text !== undefined && text !== null) {
    deadline.check();
    yield text;
    text = read.get(text.slice(text.lastIndexOf(" ") + 1));
  }
}
