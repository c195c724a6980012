import { nearWordsSearch, rankNearWords } from "../query/count-near-words.js";
import { type TermPlace, unchanged } from "./asked-place.js";
import { ALWAYS } from "./document-test.js";

/** Words within two edits of one, see `SearchIndex.nearestWords`. */
export async function nearestWords(place: TermPlace, word: string, limit: number): Promise<readonly string[]> {
  const among = unchanged(place, ALWAYS);
  const [answer] = await place.ask([nearWordsSearch(word, { fields: ["words"], words: "words", among, hint: "map" })]);
  return rankNearWords(
    word,
    limit,
    answer,
    place.documents.map(({ words }) => words),
  );
}
