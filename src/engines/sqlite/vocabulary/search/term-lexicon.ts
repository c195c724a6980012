import type { Vocabulary } from "../../../../core/catalog/types.js";
import { contentOf } from "../../../../core/terms/term-row.js";
import { termLeaves } from "../../../../query/index-model/term-leaves.js";
import type { LruCache } from "../../cache/lru-cache.js";
import { atOnce, type Slowly } from "../../cache/slow-parts.js";
import { cacheSimilar, makeUnsortedList, type Words, wordsIn } from "../../lexicon/lexicon.js";
import { makeWordList, type WordList, wordListSteps } from "../../lexicon/sorted-words.js";
import type { Generation } from "../store/generation.js";
import { rowsSince } from "../store/term-reader.js";

/** The words of the ranked rows, as they were saved with the generation. */
interface Saved {
  readonly g: number;
  readonly list: WordList | "too large";
}

/** Words of the rows above the ranked ones, before row `next`. */
interface Later {
  readonly g: number;
  readonly next: number;
  readonly words: ReadonlySet<string>;
  readonly list: WordList;
}

/** What a word in a set takes. */
const WORD_BYTES = 100;

/** The words of a vocabulary, read when asked for. @param cache keeps them if they fit; else they are read each time */
export function termWords(
  generation: Generation,
  vocabulary: Vocabulary,
  cache: LruCache,
  slowly: Slowly = atOnce,
): Words {
  return wordsIn(() => {
    const { list, later } = loadTermWords(generation, vocabulary, cache, slowly);
    const saved = list === "too large" ? wordsIn(() => listsOf(generation)) : list;
    return [cacheSimilar(saved, `words of ${generation.g}`, cache, slowly), later];
  });
}

/** Reads the words into the cache. */
export function loadTermWords(
  generation: Generation,
  vocabulary: Vocabulary,
  cache: LruCache,
  slowly: Slowly = atOnce,
): { readonly list: Saved["list"]; readonly later: WordList } {
  return { list: savedWords(generation, cache, slowly).list, later: laterWords(generation, vocabulary, cache) };
}

function savedWords(generation: Generation, cache: LruCache, slowly: Slowly): Saved {
  const key = `words ${generation.vocabulary}`;
  const kept = cache.get<Saved>(key);
  if (kept?.g === generation.g) return kept;
  const { g } = generation;
  const list = slowly(`${key} ${g}`, () => wordListSteps([...texts(generation)]));
  const saved: Saved = { g, list };
  cache.set(key, saved, list.bytes);
  if (cache.get(key) === undefined) cache.set(key, { g, list: "too large" } satisfies Saved, 0);
  return saved;
}

function* listsOf(generation: Generation): Generator<WordList> {
  for (const text of texts(generation)) yield makeWordList([text]);
}

function* texts(generation: Generation): Generator<string> {
  yield* generation.sql<string>("SELECT words FROM word_$g ORDER BY n").pluck().iterate() as Iterable<string>;
}

/** Rows are only ever added above, so that those that came since the last look are the ones from `next` on. */
function laterWords(generation: Generation, vocabulary: Vocabulary, cache: LruCache): WordList {
  const { g, ranked, next } = generation;
  const key = `later words ${generation.vocabulary}`;
  const kept = cache.get<Later>(key);
  if (kept?.g === g && kept.next === next) return kept.list;
  const from = kept?.g === g ? kept.next : ranked + 1;
  const words = new Set(kept?.g === g ? kept.words : []);
  for (const row of rowsSince(generation, from)) {
    for (const leaf of termLeaves(contentOf(row), vocabulary)) for (const word of leaf.words) words.add(word);
  }
  const list = makeUnsortedList(words);
  cache.set(key, { g, next, words, list } satisfies Later, list.bytes + words.size * WORD_BYTES);
  return list;
}
