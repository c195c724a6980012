import type { Cache } from "../../../core/caches.js";
import type { Catalog } from "../../../core/catalog/types.js";
import type { Preloading, SearchIndex, WordScope } from "../../../ports/search-index.js";
import { compareNearWords, type NearWord } from "../../../query/ranking/typed-words.js";
import { makeEditTest } from "../../../query/text/edit-distance.js";
import type { Build, SearchRunner } from "../cache/missing-parts.js";
import type { Db } from "../connection/database.js";
import { type Deadline, startDeadline } from "../connection/deadline.js";
import { phrase } from "../documents/fts-expression.js";
import { recordWords, type Words } from "../lexicon/lexicon.js";
import { loadTermWords, termWords } from "../vocabulary/search/term-lexicon.js";
import { currentGeneration } from "../vocabulary/store/generation.js";

/** The words of all indexes. `known` is for the words of records, see `SearchIndex.knownWords`. */
interface WordIndex {
  readonly nearest: SearchIndex["nearestWords"];
  readonly known: (words: readonly string[]) => Promise<readonly string[]>;
  readonly load: Preloading["loadWords"];
}

/** Makes the word index. @param db a read connection */
export function makeWordIndex(
  db: Db,
  runner: SearchRunner,
  { catalog, cache, searchTimeoutMs }: Pick<WordSource, "catalog" | "cache"> & { readonly searchTimeoutMs: number },
): WordIndex {
  const run = <T>(name: () => string, work: (source: WordSource) => T): Promise<T> =>
    runner.run(({ build }) => work({ catalog, cache, deadline: startDeadline(searchTimeoutMs, name), build }), name);
  return {
    nearest: (where, word, limit) =>
      run(
        () => word,
        (source) => nearestWords(db, where, word, limit, source),
      ),
    known: (words) =>
      run(
        () => "the words of the index",
        () => words.filter((word) => isInRecord(db, word)),
      ),
    load: (where) =>
      run(
        () => "the words of the index",
        (source) => loadWords(db, where, source),
      ),
  };
}

function isInRecord(db: Db, word: string): boolean {
  return db.sql("SELECT 1 FROM leaf WHERE leaf MATCH ? LIMIT 1").get(phrase([word])) !== undefined;
}

/** Sources and caches of the words. */
interface WordSource {
  readonly catalog: Catalog;
  readonly cache: Cache;
  readonly deadline: Deadline;
  readonly build: Build;
}

/** Returns the words within two edits of one, see `SearchIndex.nearestWords`. */
function nearestWords(db: Db, where: WordScope, word: string, limit: number, source: WordSource): readonly string[] {
  const place = wordTable(db, where, source);
  if (place === undefined) return [];
  const isOneAway = makeEditTest(word, 1);
  const rowsWith = db.sql<number>(`SELECT doc FROM ${place.table} WHERE term = ?`).pluck();
  // A word without rows was in the index earlier.
  const near = place.words.similar({ word, edits: 2 }).flatMap((nearWord): readonly NearWord[] => {
    source.deadline.check();
    const documents = rowsWith.get(nearWord) ?? 0;
    return documents === 0 ? [] : [{ word: nearWord, edits: isOneAway(nearWord) ? 1 : 2, documents }];
  });
  return near
    .sort(compareNearWords)
    .slice(0, limit)
    .map((nearWord) => nearWord.word);
}

/** Reads the words of an index into the cache. */
export function loadWords(db: Db, where: WordScope, { catalog, cache, deadline, build }: WordSource): void {
  if (where.in === "records") return void recordWords(db, cache, deadline);
  const vocabulary = catalog.vocabularies.get(where.vocabulary);
  const generation = currentGeneration(db, where.vocabulary);
  if (vocabulary !== undefined && generation !== undefined) loadTermWords(generation, vocabulary, cache, build);
}

function wordTable(
  db: Db,
  where: WordScope,
  { catalog, cache, deadline, build }: WordSource,
): { readonly words: Words; readonly table: string } | undefined {
  if (where.in === "records") return { words: recordWords(db, cache, deadline, build), table: "leaf_word" };
  const vocabulary = catalog.vocabularies.get(where.vocabulary);
  const generation = currentGeneration(db, where.vocabulary);
  if (vocabulary === undefined || generation === undefined) return undefined;
  return { words: termWords(generation, vocabulary, cache, build), table: `term_fts_word_${generation.g}` };
}
