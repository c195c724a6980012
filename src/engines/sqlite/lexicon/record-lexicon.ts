import { compareBytes } from "../../../core/terms/static-rank.js";
import type { LruCache } from "../cache/lru-cache.js";
import { atOnce, type Slowly } from "../cache/slow-parts.js";
import type { Db } from "../connection/database.js";
import type { Deadline } from "../connection/deadline.js";
import { keepNear, listOfAny, type Words, wordsIn } from "./lexicon.js";
import { makeWordList, type WordList } from "./sorted-words.js";

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

/** Number of the last word that is in one of the two tables. */
const lastWord = (db: Db): number =>
  db.sql<number>("SELECT coalesce((SELECT max(id) FROM new_word), (SELECT max(id) FROM word), 0)").pluck().get() ?? 0;

const LATER = "SELECT word FROM word WHERE id > $last UNION ALL SELECT word FROM new_word WHERE id > $last";

function upToDate(db: Db, cache: LruCache, deadline: Deadline): Kept {
  const kept = cache.get<Kept>(KEY);
  const last = lastWord(db);
  if (kept === undefined) return makeAgain(db, cache, deadline, last);
  if (kept.last === last || kept.list === "too large") return kept;
  const came = db.sql<string>(LATER).pluck().all({ last: kept.last });
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
  const read = db.sql<string>(some).pluck();
  const unsorted = new Set(db.sql<string>("SELECT word FROM new_word").pluck().all());
  const fresh = [...unsorted].sort(compareBytes);
  for (let words = read.all(""); words.length > 0; words = read.all(words.at(-1)!)) {
    deadline.check();
    const last = words.at(-1)!;
    const before = fresh.findIndex((word) => compareBytes(word, last) > 0);
    const among = fresh.splice(0, before < 0 ? fresh.length : before);
    yield (among.length === 0 ? words : inOrder(words, among)).join(" ");
  }
  yield fresh.join(" ");
}

const inOrder = (some: readonly string[], others: readonly string[]): readonly string[] =>
  [...new Set([...some, ...others])].sort(compareBytes);
