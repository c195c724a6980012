import type { Cache } from "../../../core/caches.js";
import { compareBytes } from "../../../core/terms/term-order.js";
import type { Clause } from "../../../query/index-model/clause.js";
import { compileWildcards } from "../../../query/text/pattern.js";
import { type Build, buildAtOnce } from "../cache/missing-parts.js";
import type { Db } from "../connection/database.js";
import type { Deadline } from "../connection/deadline.js";
import { makeWordList, type Similarity, type WordList } from "./sorted-words.js";

/** The words of an index as the open transaction sees them; some may be in no row any more. */
export interface Words {
  /** Returns the words within the edit distance, each once. */
  similar(similarity: Similarity): string[];
  /** Returns the shortest prefixes of words within the edit distance; one may be a prefix of another. */
  similarBeginnings(similarity: Similarity): string[];
  /** Returns the words with the prefix whose rest passes the test, each once. */
  beginning(beginning: string, test: (rest: string) => boolean): string[];
}

/** Combines several word lists. */
export function joinWordLists(lists: () => Iterable<Words>): Words {
  const collect = (find: (list: Words) => string[]): string[] => {
    const foundWords = new Set<string>();
    for (const list of lists()) for (const word of find(list)) foundWords.add(word);
    return [...foundWords];
  };
  return {
    similar: (similarity) => collect((list) => list.similar(similarity)),
    similarBeginnings: (similarity) => collect((list) => list.similarBeginnings(similarity)),
    beginning: (beginning, test) => collect((list) => list.beginning(beginning, test)),
  };
}

/** Estimated bytes of a word in a list. */
const WORD_BYTES = 100;

/**
 * Caches similar words of an immutable list: a ranking looks them up in each step, and an input field with each letter.
 * @param name of the words, for cache keys
 */
export function cacheSimilar(words: Words, name: string, cache: Cache, build: Build = buildAtOnce): Words {
  const lookUpSimilar = (lookUp: "similar" | "similarBeginnings", similarity: Similarity): string[] => {
    const key = `${name} ${lookUp} ${similarity.word} ${similarity.edits}`;
    const cached = cache.get<string[]>(key);
    if (cached !== undefined) return cached;
    const foundWords = build(key, function* () {
      yield;
      return words[lookUp](similarity);
    });
    cache.set(key, foundWords, foundWords.length * WORD_BYTES);
    return foundWords;
  };
  return {
    similar: (similarity) => lookUpSimilar("similar", similarity),
    similarBeginnings: (similarity) => lookUpSimilar("similarBeginnings", similarity),
    beginning: (beginning, test) => words.beginning(beginning, test),
  };
}

/** Makes a list of unsorted words. */
export const makeUnsortedList = (words: Iterable<string>): WordList =>
  makeWordList([[...words].sort(compareBytes).join(" ")]);

/** A clause that is replaced by words of the index, because FTS5 supports neither wildcards inside a word nor typos. */
export type ExpandedClause = Extract<Clause, { kind: "wildcard" | "fuzzy" }>;

/** Returns the words of the index that match the clause; some may be in no row any more. */
export type ExpandWords = (clause: ExpandedClause) => readonly string[];

/** Makes a function that looks up the words of each clause once. */
export function makeExpandWords(words: () => Words): ExpandWords {
  const wordsByClause = new Map<string, readonly string[]>();
  return (clause) => {
    const clauseKey = clause.kind === "fuzzy" ? `${clause.word} ${clause.edits}` : clause.pattern;
    const matchingWords = wordsByClause.get(clauseKey) ?? expandWords(words(), clause);
    wordsByClause.set(clauseKey, matchingWords);
    return matchingWords;
  };
}

function expandWords(words: Words, clause: ExpandedClause): readonly string[] {
  if (clause.kind === "fuzzy") return words.similar(clause);
  const prefix = /^[^*?]*/u.exec(clause.pattern)![0];
  const { test } = compileWildcards(clause.pattern.slice(prefix.length));
  return words.beginning(prefix, test);
}

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
  if (list === "too large") return joinWordLists(() => listsInTable(db, deadline));
  const listed = cacheSimilar(list, `${KEY} up to ${sorted}`, cache, build);
  return joinWordLists(() => [listed, laterList]);
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
