import { compareNearWords, type NearWord } from "../../../query/ranking/typos.js";
import { makeEditTest } from "../../../query/text/edit-distance.js";
import type { SearchAnswer } from "../connection/multi-search.js";
import { type TermPlace, unchanged } from "./asked-place.js";
import { ALWAYS } from "./document-test.js";
import { nearWords } from "./near-beginnings.js";

/** Words that are counted at most: as many buckets as OpenSearch gives. */
const WORDS_MAX = 65_000;

const EDITS = 2;

/** Words within two edits of one, see `SearchIndex.nearestWords`. */
export async function nearestWords(place: TermPlace, word: string, limit: number): Promise<readonly string[]> {
  const words = { field: "words", include: nearWords(word, EDITS), size: WORDS_MAX, shard_size: WORDS_MAX };
  const fuzzy = {
    fuzzy: { words: { value: word, fuzziness: EDITS, transpositions: true, rewrite: "constant_score" } },
  };
  const [answer] = await place.ask([
    {
      ...{ size: 0, track_total_hits: false },
      query: { bool: { filter: [fuzzy, unchanged(place, ALWAYS)] } },
      // Only the words of the items that have a near one are looked at.
      aggs: { words: { terms: { ...words, execution_hint: "map" } } },
    },
  ]);
  const counts = countsOf(answer);
  const [isOneAway, isTwoAway] = [makeEditTest(word, 1), makeEditTest(word, EDITS)];
  for (const document of place.documents) {
    for (const other of document.words) if (isTwoAway(other)) counts.set(other, (counts.get(other) ?? 0) + 1);
  }
  const near = [...counts].map(([other, documents]): NearWord => {
    return { word: other, edits: isOneAway(other) ? 1 : EDITS, documents };
  });
  return near
    .sort(compareNearWords)
    .slice(0, limit)
    .map((each) => each.word);
}

function countsOf(answer: SearchAnswer | undefined): Map<string, number> {
  const buckets = answer?.aggregations?.words?.buckets ?? [];
  return new Map(buckets.map(({ key, doc_count: count }) => [String(key), count]));
}
