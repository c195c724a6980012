import type { Cache } from "../../../../core/caches.js";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import { readTermContent } from "../../../../core/terms/term-row.js";
import { onlyWords } from "../../../../query/index-model/term-document.js";
import { termLeaves } from "../../../../query/index-model/term-leaves.js";
import { type Build, buildAtOnce } from "../../cache/missing-parts.js";
import { cacheSimilar, joinWordLists, makeUnsortedList, type Words } from "../../lexicon/lexicon.js";
import { makeWordList, type WordList, wordListSteps } from "../../lexicon/sorted-words.js";
import type { Generation } from "../store/generation.js";
import { rowsSince } from "../store/term-reader.js";

/** The words of the ranked rows, which are saved with the generation. */
interface SavedWords {
  readonly g: number;
  readonly list: WordList | "too large";
}

/** The words of the rows of the delta below `next`. */
interface DeltaWords {
  readonly g: number;
  readonly next: number;
  readonly words: ReadonlySet<string>;
  readonly list: WordList;
}

/** Similar words of a list of this size are found in a millisecond; starting a search again would take as long. */
const SHORT_LIST_MAX = 250_000;

/** Bytes of a word in a set. */
const WORD_BYTES = 100;

/** Returns the words of a vocabulary, read on first use. If they do not fit into the cache, each use reads them. */
export function termWords(
  generation: Generation,
  vocabulary: Vocabulary,
  cache: Cache,
  build: Build = buildAtOnce,
): Words {
  return joinWordLists(() => {
    const { list, delta } = loadTermWords(generation, vocabulary, cache, build);
    const saved = list === "too large" ? joinWordLists(() => readLists(generation)) : list;
    const isShort = list !== "too large" && list.size <= SHORT_LIST_MAX;
    return [cacheSimilar(saved, `words of ${generation.g}`, cache, isShort ? buildAtOnce : build), delta];
  });
}

/** Reads the words into the cache. */
export function loadTermWords(
  generation: Generation,
  vocabulary: Vocabulary,
  cache: Cache,
  build: Build = buildAtOnce,
): { readonly list: SavedWords["list"]; readonly delta: WordList } {
  return {
    list: readSavedWords(generation, cache, build).list,
    delta: readDeltaWords(generation, vocabulary, cache),
  };
}

function readSavedWords(generation: Generation, cache: Cache, build: Build): SavedWords {
  const key = `words ${generation.vocabulary}`;
  const cached = cache.get<SavedWords>(key);
  if (cached?.g === generation.g) return cached;
  const { g } = generation;
  const list = build(`${key} ${g}`, () => wordListSteps([...readTexts(generation)]));
  const saved: SavedWords = { g, list };
  cache.set(key, saved, list.bytes);
  if (cache.get(key) === undefined) cache.set(key, { g, list: "too large" } satisfies SavedWords, 0);
  return saved;
}

/** Yields the saved words, one list per row of the table. */
function* readLists(generation: Generation): Generator<WordList> {
  for (const text of readTexts(generation)) yield makeWordList([text]);
}

/** Yields the words of the ranked rows in order, separated by blanks. */
function* readTexts(generation: Generation): Generator<string> {
  const blocks = generation.sql<string>("SELECT tokens FROM postings_$g ORDER BY n").pluck();
  let hasBlocks = false;
  for (const text of blocks.iterate() as Iterable<string>) {
    hasBlocks = true;
    yield onlyWords(text);
  }
  // A generation of an earlier version has only the full-text table, until it is made again.
  if (!hasBlocks) yield onlyWords(generation.sql<string>("SELECT term FROM term_fts_word_$g").pluck().all().join(" "));
}

/** Reads the words of the delta. New rows always have larger numbers, so only rows from `next` on are read again. */
function readDeltaWords(generation: Generation, vocabulary: Vocabulary, cache: Cache): WordList {
  const { g, ranked, next } = generation;
  const key = `delta words ${generation.vocabulary}`;
  const cached = cache.get<DeltaWords>(key);
  if (cached?.g === g && cached.next === next) return cached.list;
  const from = cached?.g === g ? cached.next : ranked + 1;
  const words = new Set(cached?.g === g ? cached.words : []);
  for (const row of rowsSince(generation, from)) {
    for (const leaf of termLeaves(readTermContent(row), vocabulary)) for (const word of leaf.words) words.add(word);
  }
  const list = makeUnsortedList(words);
  cache.set(key, { g, next, words, list } satisfies DeltaWords, list.bytes + words.size * WORD_BYTES);
  return list;
}
