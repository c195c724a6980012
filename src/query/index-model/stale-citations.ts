/** Records that have an older version of a term they cite than the vocabulary has now. */
import type { Clause } from "./clause.js";

/** Where the index of a record says that it has an older version of a term of this vocabulary. */
export const stalePath = (vocabulary: string): string => `stale.${vocabulary}`;

/** Records that are stale by a term of one of these vocabularies. */
export function isStale(vocabularies: Iterable<string>): Clause {
  return { kind: "exists", paths: Array.from(vocabularies, stalePath) };
}
