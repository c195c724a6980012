import type { JsonObject } from "../../../core/json.js";
import { compareNearWords, type NearWord } from "../../../query/ranking/typos.js";
import { makeEditTest } from "../../../query/text/edit-distance.js";
import type { SearchAnswer } from "../connection/multi-search.js";
import { nearWords } from "./near-beginnings.js";

/** Words that are counted at most: as many buckets as OpenSearch gives. */
const WORDS_MAX = 65_000;

const EDITS = 2;

interface CountedWords {
  /** Fields in which words are looked up. */
  readonly fields: readonly string[];
  /** The field that has all words of a document, each once. */
  readonly words: string;
  /** Which documents count. */
  readonly among: object;
  /** How they are counted: `map` looks at those only that have a near word. */
  readonly hint: "map" | "global_ordinals";
}

/** A search that counts the words within two edits of one. */
export function nearWordsSearch(word: string, { fields, words, among, hint }: CountedWords): JsonObject {
  const near = fields.map((field) => ({
    fuzzy: { [field]: { value: word, fuzziness: EDITS, transpositions: true, rewrite: "constant_score" } },
  }));
  const counted = { field: words, include: nearWords(word, EDITS), size: WORDS_MAX, shard_size: WORDS_MAX };
  const search = {
    ...{ size: 0, track_total_hits: false },
    query: { bool: { filter: [{ bool: { should: near, minimum_should_match: 1 } }, among] } },
    aggs: { words: { terms: { ...counted, execution_hint: hint } } },
  };
  return search as unknown as JsonObject;
}

/**
 * The nearest words that an answer to that search has, and that documents beside the index have.
 * @param beside words of each of these documents
 */
export function nearestOf(
  word: string,
  limit: number,
  answer: SearchAnswer | undefined,
  beside: Iterable<Iterable<string>>,
): readonly string[] {
  const buckets = answer?.aggregations?.words?.buckets ?? [];
  const counts = new Map(buckets.map(({ key, doc_count: count }) => [String(key), count]));
  const [isOneAway, isTwoAway] = [makeEditTest(word, 1), makeEditTest(word, EDITS)];
  for (const words of beside) {
    for (const other of words) if (isTwoAway(other)) counts.set(other, (counts.get(other) ?? 0) + 1);
  }
  const near = [...counts].map(([other, documents]): NearWord => {
    return { word: other, edits: isOneAway(other) ? 1 : EDITS, documents };
  });
  return near
    .sort(compareNearWords)
    .slice(0, limit)
    .map((each) => each.word);
}
