import type { Cache } from "../../../core/caches.js";
import { compareBytes } from "../../../core/terms/term-order.js";
import { type Build, buildAtOnce } from "../cache/missing-parts.js";
import type { Db } from "../connection/database.js";
import type { Deadline } from "../connection/deadline.js";
import { cacheSimilar, makeUnsortedList, type Words, wordsIn } from "./lexicon.js";
import { makeWordList, type WordList } from "./sorted-words.js";

/** The words up to number `last`: those up to `sorted` in one list, the later ones in another. */
interface CachedWords {
  readonly list: WordList | "too large";
  readonly sorted: number;
  readonly later: readonly string[];
  readonly laterList: WordList;
  readonly last: number;
}

/** Number of later words, and share of all words, above which the list is built again. */
const LATER_MAX = 5_000;
const LATER_PART = 1 / 10;

/** Words read in one query. */
const WORDS_AT_ONCE = 20_000;

const KEY = "words of records";

/** Returns the words of records. @param cache keeps their list if it fits; otherwise they are read each time */
export function recordWords(db: Db, cache: Cache, deadline: Deadline, build: Build = buildAtOnce): Words {
  const { list, sorted, laterList } = getCachedWords(db, cache, deadline);
  if (list === "too large") return wordsIn(() => listsInTable(db, deadline));
  const listed = cacheSimilar(list, `${KEY} up to ${sorted}`, cache, build);
  return wordsIn(() => [listed, laterList]);
}

/** Returns the number of the last word in the two tables. */
const lastWord = (db: Db): number =>
  db.sql<number>("SELECT coalesce((SELECT max(id) FROM new_word), (SELECT max(id) FROM word), 0)").pluck().get() ?? 0;

const LATER = "SELECT word FROM word WHERE id > $last UNION ALL SELECT word FROM new_word WHERE id > $last";

function getCachedWords(db: Db, cache: Cache, deadline: Deadline): CachedWords {
  const cached = cache.get<CachedWords>(KEY);
  const last = lastWord(db);
  if (cached === undefined) return rebuildWords(db, cache, deadline, last);
  if (cached.last === last || cached.list === "too large") return cached;
  const newWords = db.sql<string>(LATER).pluck().all({ last: cached.last });
  const later = [...cached.later, ...newWords];
  if (later.length > LATER_MAX && later.length > cached.list.size * LATER_PART) {
    return rebuildWords(db, cache, deadline, last);
  }
  const extended = { ...cached, later, laterList: makeUnsortedList(later), last };
  cache.set(KEY, extended, cached.list.bytes + extended.laterList.bytes * 4);
  return extended;
}

function rebuildWords(db: Db, cache: Cache, deadline: Deadline, last: number): CachedWords {
  const list = makeWordList(textsInTable(db, deadline));
  const cached: CachedWords = { list, sorted: last, later: [], laterList: makeWordList([]), last };
  cache.set(KEY, cached, list.bytes);
  if (cache.get(KEY) === undefined) cache.set(KEY, { ...cached, list: "too large" }, 0);
  return cached;
}

function* listsInTable(db: Db, deadline: Deadline): Generator<WordList> {
  for (const text of textsInTable(db, deadline)) yield makeWordList([text]);
}

/** Yields all words in sorted order, separated by blanks. */
function* textsInTable(db: Db, deadline: Deadline): Generator<string> {
  const nextWords = `SELECT word FROM word WHERE word > ? ORDER BY word LIMIT ${WORDS_AT_ONCE}`;
  const read = db.sql<string>(nextWords).pluck();
  const unsorted = new Set(db.sql<string>("SELECT word FROM new_word").pluck().all());
  const unsortedWords = [...unsorted].sort(compareBytes);
  for (let words = read.all(""); words.length > 0; words = read.all(words.at(-1)!)) {
    deadline.check();
    const last = words.at(-1)!;
    const end = unsortedWords.findIndex((word) => compareBytes(word, last) > 0);
    const mergedWords = unsortedWords.splice(0, end < 0 ? unsortedWords.length : end);
    yield (mergedWords.length === 0 ? words : mergeWords(words, mergedWords)).join(" ");
  }
  yield unsortedWords.join(" ");
}

const mergeWords = (nextWords: readonly string[], otherWords: readonly string[]): readonly string[] =>
  [...new Set([...nextWords, ...otherWords])].sort(compareBytes);
