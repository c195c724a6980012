import type { Vocabulary } from "../../../../core/catalog/types.js";
import type { Clause } from "../../../../query/index-model/clause.js";
import { describeClause } from "../../../../query/resolve/describe-clause.js";
import type { MatchSet } from "../../bitmaps/doc-id-set.js";
import type { LruCache } from "../../cache/lru-cache.js";
import { atOnce, type Slowly, type SlowParts } from "../../cache/slow-parts.js";
import type { Db } from "../../connection/database.js";
import { startDeadline } from "../../connection/deadline.js";
import type { CountCache } from "../../facets/count-facet.js";
import { type ExpandWords, makeExpandWords } from "../../lexicon/lexicon.js";
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
  readonly slowParts: SlowParts;
  /** Keeps what was shown last, so that it takes no room from what searches are made of. */
  readonly shown: LruCache;
  /** A search that takes longer fails: QUERY_TOO_COSTLY. */
  readonly searchTimeoutMs: number;
}

/** What the engine was opened with, and what its searches keep beside. */
interface SharedContext extends TermSearchOptions {
  readonly counts: CountCache;
}

/** One search: where it looks, and how long it may take. */
export interface SearchContext extends SharedContext {
  readonly vocabulary: Vocabulary;
  readonly generation: Generation;
  /** Returns what takes long to make of a large vocabulary. */
  readonly slowly: Slowly;
  /** Finds words of the vocabulary. */
  readonly expand: ExpandWords;
  /** Answers of clauses: the steps of a ranking ask for some again and again. */
  readonly answers: Map<string, MatchSet>;
  /** @param clause what is being looked up, for the message. @throws BinderyError QUERY_TOO_COSTLY */
  checkTime(clause?: Clause): void;
}

/** What is read of fewer ranked rows takes some milliseconds. */
const SLOW_ROWS_MIN = 50_000;

/** @param slowly absent: what takes long is made at once */
export function makeContext(
  vocabulary: Vocabulary,
  generation: Generation,
  options: SharedContext,
  slowly: Slowly = atOnce,
): SearchContext {
  let costly: Clause | undefined;
  const named = (): string => (costly === undefined ? "the query" : describeClause(costly));
  const deadline = startDeadline(options.searchTimeoutMs, named);
  const slowlyHere = generation.ranked < SLOW_ROWS_MIN ? atOnce : slowly;
  return {
    ...options,
    vocabulary,
    generation,
    slowly: slowlyHere,
    expand: makeExpandWords(() => termWords(generation, vocabulary, options.cache, slowlyHere)),
    answers: new Map(),
    checkTime: (clause) => {
      costly = clause ?? costly;
      deadline.check();
    },
  };
}
