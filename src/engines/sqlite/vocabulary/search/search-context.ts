import type { Cache } from "../../../../core/caches.js";
import type { Vocabulary } from "../../../../core/catalog/types.js";
import { type Clause, describeClause } from "../../../../query/index-model/clause.js";
import type { StepColumns } from "../../../../query/ranking/term-steps.js";
import type { DocIdSet, MatchSet } from "../../bitmaps/doc-id-set.js";
import { type Build, buildAtOnce, type SearchRunner } from "../../cache/missing-parts.js";
import type { Db } from "../../connection/database.js";
import { startDeadline } from "../../connection/deadline.js";
import type { CountCache } from "../../facets/count-facet.js";
import { type ExpandWords, makeExpandWords } from "../../lexicon/lexicon.js";
import type { Generation } from "../store/generation.js";
import type { Lineage } from "../store/lineage.js";
import { termWords } from "./term-lexicon.js";

/** Resources that searches share while the engine is open. */
export interface TermSearchOptions {
  /** A reading connection. */
  readonly db: Db;
  readonly lineage: Lineage;
  /** Cache of data of generations. */
  readonly cache: Cache;
  readonly counts: CountCache;
  readonly runner: SearchRunner;
  /** Cache of the terms that were shown last, separate so that they do not evict data of searches. */
  readonly shown: Cache;
  /** A search that takes longer fails: QUERY_TOO_COSTLY. */
  readonly searchTimeoutMs: number;
}

/** Rows for each choice of columns that a step may search. */
export type RowsByColumns = Readonly<Record<StepColumns, DocIdSet>>;

/** The context of one search: its vocabulary, caches and time limit. */
export interface SearchContext extends TermSearchOptions {
  readonly vocabulary: Vocabulary;
  readonly generation: Generation;
  /** Builds values that take long for a large vocabulary. */
  readonly build: Build;
  /** Expands wildcards and similar words to words of the vocabulary. */
  readonly expand: ExpandWords;
  /** Match sets by clause. The steps of a ranking need some of them repeatedly. */
  readonly matchSets: Map<string, MatchSet>;
  /** Ranked rows of words similar to typed ones, by word. */
  readonly nearRows: Map<string, RowsByColumns>;
  /** @param clause the clause that is evaluated, for the message. @throws BinderyError QUERY_TOO_COSTLY */
  checkTime(clause?: Clause): void;
}

/** Values for fewer ranked rows are built at once, in some milliseconds. */
const SLOW_ROWS_MIN = 50_000;

/** Makes the context of a search. @param build builds values that take long; absent: they are built at once */
export function makeContext(
  vocabulary: Vocabulary,
  generation: Generation,
  options: TermSearchOptions,
  build: Build = buildAtOnce,
): SearchContext {
  let currentClause: Clause | undefined;
  const describe = (): string => (currentClause === undefined ? "the query" : describeClause(currentClause));
  const deadline = startDeadline(options.searchTimeoutMs, describe);
  const buildIfLarge = generation.ranked < SLOW_ROWS_MIN ? buildAtOnce : build;
  return {
    ...options,
    vocabulary,
    generation,
    build: buildIfLarge,
    expand: makeExpandWords(() => termWords(generation, vocabulary, options.cache, buildIfLarge)),
    matchSets: new Map(),
    nearRows: new Map(),
    checkTime: (clause) => {
      currentClause = clause ?? currentClause;
      deadline.check();
    },
  };
}
