import type { AskIndex } from "../connection/multi-search.js";
import type { RecordOverlay } from "../overlay/record-overlay.js";
import { nearestOf, nearWordsSearch } from "../query/count-near-words.js";
import { hasToken, notOf } from "../query/dsl.js";

interface RecordWords {
  readonly overlay: RecordOverlay;
  readonly ask: AskIndex;
}

/** Words of records, whoever may see them, within two edits of one: see `SearchIndex.nearestWords`. */
export async function nearestRecordWords(
  word: string,
  limit: number,
  { overlay, ask }: RecordWords,
): Promise<readonly string[]> {
  const among = notOf(hasToken("id", overlay.ids));
  // A record has hundreds of words: to see which of them are near takes longer than to number all words.
  const counted = { fields: ["t", "h", "r"], words: "w", among, hint: "global_ordinals" } as const;
  const [answer] = await ask([nearWordsSearch(word, counted)]);
  return nearestOf(word, limit, answer, overlay.words());
}
