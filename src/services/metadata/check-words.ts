import { fail } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import { countWords } from "../../query/index-model/count-words.js";
import type { LeafValue } from "../../query/index-model/leaves.js";

/** Fields that the error names. */
const FIELDS_MAX = 3;

/**
 * Refuses what would hold the only writer for long: the time that an index takes grows with its words.
 * @param cutLetters of values with words that were cut: how many words the rest counts as
 * @throws RECORD_TOO_LONG
 */
export function checkWords(leaves: readonly LeafValue[], cutLetters: ReadonlyMap<LeafValue, number>): void {
  const counts = new Map<string, number>();
  let all = 0;
  for (const leaf of leaves) {
    const { path } = leaf;
    const count = countWords(leaf.words) + (cutLetters.get(leaf) ?? 0);
    all += count;
    const field = path ?? "fields that the model does not know";
    counts.set(field, (counts.get(field) ?? 0) + count);
  }
  if (all <= LIMITS.recordWordsMax) return;
  const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, FIELDS_MAX);
  const fields = most.filter(([, count]) => count > 0).map(([field, words]) => `${field} (${words})`);
  throw fail("RECORD_TOO_LONG", { words: all, max: LIMITS.recordWordsMax, fields });
}
