import type { JsonObject } from "../../../core/json.js";
import { compareNearWords, type NearWord } from "../../../query/ranking/typed-words.js";
import { makeEditTest } from "../../../query/text/edit-distance.js";
import type { IndexAnswer } from "../connection/multi-search.js";

/** Maximum number of counted words, which is the maximum number of buckets in OpenSearch. */
const WORDS_MAX = 65_000;

const EDITS = 2;

interface CountedWords {
  /** Fields in which words are searched. */
  readonly fields: readonly string[];
  /** Field with all words of a document, each once. */
  readonly words: string;
  /** Query for the documents that count. */
  readonly among: object;
  /** Way of counting: `map` only visits documents that have a near word. */
  readonly hint: "map" | "global_ordinals";
}

/** Returns a search that counts the words within two edits of one. */
export function nearWordsSearch(word: string, { fields, words, among, hint }: CountedWords): JsonObject {
  const near = fields.map((field) => ({
    fuzzy: { [field]: { value: word, fuzziness: EDITS, transpositions: true, rewrite: "constant_score" } },
  }));
  const counted = { field: words, include: nearWords(word, EDITS), size: WORDS_MAX, shard_size: WORDS_MAX };
  const search = {
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [{ bool: { should: near, minimum_should_match: 1 } }, among] } },
    aggs: { words: { terms: { ...counted, execution_hint: hint } } },
  };
  return search as unknown as JsonObject;
}

/**
 * Returns the nearest words in an answer to that search and in the documents of an overlay.
 * @param overlayWords words of each document of the overlay
 */
export function rankNearWords(
  word: string,
  limit: number,
  answer: IndexAnswer | undefined,
  overlayWords: Iterable<Iterable<string>>,
): readonly string[] {
  const buckets = answer?.aggregations?.words?.buckets ?? [];
  const counts = new Map(buckets.map(({ key, doc_count: count }) => [String(key), count]));
  const [isOneAway, isTwoAway] = [makeEditTest(word, 1), makeEditTest(word, EDITS)];
  for (const words of overlayWords) {
    for (const candidate of words) if (isTwoAway(candidate)) counts.set(candidate, (counts.get(candidate) ?? 0) + 1);
  }
  const nearWordList = [...counts].map(([candidate, documents]): NearWord => {
    return { word: candidate, edits: isOneAway(candidate) ? 1 : EDITS, documents };
  });
  return nearWordList
    .sort(compareNearWords)
    .slice(0, limit)
    .map((nearWord) => nearWord.word);
}

/**
 * Returns a regular expression for words within the edit distance of a word: an edit inserts, deletes or replaces a
 * character, or swaps two neighbours. Halves of the word share the edits, so that the expression grows little faster
 * than the word. Words only contain letters and digits, which need no escapes.
 */
export const nearWords = (word: string, edits: 1 | 2): string => within([...word], edits);

/** Returns a regular expression for words with a prefix within the edit distance. */
export const nearPrefixes = (word: string, edits: 1 | 2): string => `(${nearWords(word, edits)}).*`;

type Edits = 0 | 1 | 2;

function within(letters: readonly string[], edits: Edits): string {
  if (edits === 0) return letters.join("");
  if (letters.length === 0) return edits === 1 ? ".?" : ".?.?";
  if (letters.length === 1) return withinOne(letters[0]!, edits);
  const middle = letters.length >>> 1;
  const [left, right] = [letters.slice(0, middle), letters.slice(middle)];
  const options: string[] = [];
  for (let used = 0; used <= edits; used++) {
    options.push(group(within(left, used as Edits)) + group(within(right, (edits - used) as Edits)));
  }
  const swapped = right[0]! + left.at(-1)!;
  const [leftRest, rightRest] = [left.slice(0, -1), right.slice(1)];
  for (let used = 0; used < edits; used++) {
    const rest = (edits - 1 - used) as Edits;
    options.push(group(within(leftRest, used as Edits)) + swapped + group(within(rightRest, rest)));
  }
  return options.join("|");
}

/** Returns the expression for one letter: any short text, or a longer one with the letter. */
function withinOne(letter: string, edits: 1 | 2): string {
  return edits === 1 ? `.?|${letter}.|.${letter}` : `.?.?|${letter}..|.${letter}.|..${letter}`;
}

const group = (expression: string): string => (expression.includes("|") ? `(${expression})` : expression);
