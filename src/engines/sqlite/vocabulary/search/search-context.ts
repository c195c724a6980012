import type { Vocabulary } from "../../../../core/catalog/types.js";
import type { Clause } from "../../../../query/index-model/clause.js";
import { describeClause } from "../../../../query/resolve/describe-clause.js";
import type { MatchSet } from "../../bitmaps/match-set.js";
import type { LruCache } from "../../cache/lru-cache.js";
import { startDeadline } from "../../connection/deadline.js";
import { type ExpandWords, makeExpandWords } from "../../lexicon/expand-words.js";
import type { Generation } from "../store/generation.js";
import { termWords } from "./term-lexicon.js";

/** One search: where it looks, and how long it may take. */
export interface SearchContext {
  readonly vocabulary: Vocabulary;
  readonly generation: Generation;
  /** Keeps what is read from the tables of a generation. */
  readonly cache: LruCache;
  /** Finds words of the vocabulary. */
  readonly expand: ExpandWords;
  /** Answers of leaves of plans: the steps of a ranking ask for some again and again. */
  readonly answers: Map<string, MatchSet>;
  /** @param clause what is being looked up, for the message. @throws BinderyError QUERY_TOO_COSTLY */
  checkTime(clause?: Clause): void;
}

export function makeContext(
  vocabulary: Vocabulary,
  generation: Generation,
  cache: LruCache,
  timeoutMs: number,
): SearchContext {
  let costly: Clause | undefined;
  const deadline = startDeadline(timeoutMs, () => (costly === undefined ? "the query" : describeClause(costly)));
  return {
    vocabulary,
    generation,
    cache,
    expand: makeExpandWords(() => termWords(generation, vocabulary, cache)),
    answers: new Map(),
    checkTime: (clause) => {
      costly = clause ?? costly;
      deadline.check();
    },
  };
}
