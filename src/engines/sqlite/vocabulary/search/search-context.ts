import type { Vocabulary } from "../../../../core/catalog/types.js";
import type { Clause } from "../../../../query/index-model/clause.js";
import { describeClause } from "../../../../query/resolve/describe-clause.js";
import type { MatchSet } from "../../bitmaps/match-set.js";
import type { LruCache } from "../../cache/lru-cache.js";
import type { Db } from "../../connection/database.js";
import { startDeadline } from "../../connection/deadline.js";
import type { CountCache } from "../../facets/count-cache.js";
import { type ExpandWords, makeExpandWords } from "../../lexicon/expand-words.js";
import type { Generation } from "../store/generation.js";
import type { Lineage } from "../store/lineage.js";
import { termWords } from "./term-lexicon.js";

/** What searches share as long as the engine is open. */
export interface TermSearchOptions {
  /** A reading connection. */
  readonly db: Db;
  readonly lineage: Lineage;
  /** Keeps what is read from the tables of a generation. */
  readonly cache: LruCache;
  /** Keeps what was shown last, so that it takes no room from what searches are made of. */
  readonly shown: LruCache;
  /** A search that takes longer fails: QUERY_TOO_COSTLY. */
  readonly searchTimeoutMs: number;
}

/** What the engine was opened with, and what its searches keep beside. */
export interface SharedContext extends TermSearchOptions {
  readonly counts: CountCache;
}

/** One search: where it looks, and how long it may take. */
export interface SearchContext extends SharedContext {
  readonly vocabulary: Vocabulary;
  readonly generation: Generation;
  /** Finds words of the vocabulary. */
  readonly expand: ExpandWords;
  /** Answers of clauses: the steps of a ranking ask for some again and again. */
  readonly answers: Map<string, MatchSet>;
  /** @param clause what is being looked up, for the message. @throws BinderyError QUERY_TOO_COSTLY */
  checkTime(clause?: Clause): void;
}

export function makeContext(vocabulary: Vocabulary, generation: Generation, options: SharedContext): SearchContext {
  let costly: Clause | undefined;
  const named = (): string => (costly === undefined ? "the query" : describeClause(costly));
  const deadline = startDeadline(options.searchTimeoutMs, named);
  return {
    ...options,
    vocabulary,
    generation,
    expand: makeExpandWords(() => termWords(generation, vocabulary, options.cache)),
    answers: new Map(),
    checkTime: (clause) => {
      costly = clause ?? costly;
      deadline.check();
    },
  };
}
