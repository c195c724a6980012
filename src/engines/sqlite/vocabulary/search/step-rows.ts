import { lastSuccessor } from "../../../../core/terms/follow-id.js";
import { storedTitles } from "../../../../core/terms/term-row.js";
import {
  matchesTitleStart,
  type StepColumns,
  type TermStep,
  type TermStepTest,
  type TitleStart,
} from "../../../../query/ranking/term-steps.js";
import { mayHaveTypos, type TypedWord, typosMax } from "../../../../query/ranking/typed-words.js";
import {
  bytesOfSet,
  cardinality,
  containsRow,
  type DocIdSet,
  EMPTY_SET,
  intersectSets,
  MATCH_ALL,
  type MatchSet,
  makeDocIdSet,
  makeSortedSet,
  subtractSet,
  toIds,
  uniteSets,
} from "../../bitmaps/doc-id-set.js";
import type { RankingStep } from "../../plan/ranked-page.js";
import { cachedUntilWrite } from "../store/generation.js";
import { findRow } from "../store/term-rows.js";
import { hasDelta } from "./live-docs.js";
import { matchClause } from "./match-clause.js";
import { deltaWordRows, hasLists, phraseRows, rankedRowsByColumns } from "./match-rows.js";
import { titleStart } from "./phrases.js";
import type { RowsByColumns, SearchContext } from "./search-context.js";
import { termWords } from "./term-lexicon.js";
import { identifiedRows, namedRows } from "./term-lookups.js";

/** Sets of rows that the steps of suggestions use in addition to clauses. */
interface NearMatches {
  /** Matches without tolerated typos and prefixes. */
  readonly exact: MatchSet;
  /** Returns the rows with words similar to the typed ones. */
  near(columns: StepColumns): DocIdSet;
}

/** Makes the steps of a ranking, which take rows. @param matches only for steps of `withTolerantSteps` */
export function stepRows(
  context: SearchContext,
  steps: readonly TermStep[],
  matches?: NearMatches,
): readonly RankingStep[] {
  const { exact = MATCH_ALL, near = () => EMPTY_SET } = matches ?? {};
  return steps.map(({ number, test, isExact }): RankingStep => {
    const step = { number, ...compileTest(context, test, near) };
    if (isExact !== true) return step;
    return {
      number,
      take: (among) => step.take(within(among, exact)),
      try: step.try === undefined ? undefined : (among: DocIdSet) => step.try?.(within(among, exact)),
    };
  });
}

/** Compiles the test of a step. */
function compileTest(
  context: SearchContext,
  test: TermStepTest,
  near: NearMatches["near"],
): Omit<RankingStep, "number"> {
  switch (test.kind) {
    case "identified":
      return { take: (among) => intersectSets(among, identifiedRows(context, test.by)) };
    case "named":
      return { take: (among) => intersectSets(among, makeSortedSet(namedRows(context, test.key, test.as))) };
    case "titleStart":
      return titleStartRows(context, test);
    case "clause":
      return { take: (among) => within(among, matchClause(context, test.clause, test.columns)) };
    case "near":
      return { take: (among) => intersectSets(among, near(test.columns)) };
    case "rest":
      return { take: (among) => among };
  }
}

/** Returns the rows that are in the set. */
const within = (among: DocIdSet, { rows, isComplement }: MatchSet): DocIdSet =>
  isComplement ? subtractSet(among, rows) : intersectSets(among, rows);

/** Maximum number of titles that are all read to find those with a beginning. */
const TITLES_READ_MAX = 64;

/** Rows with the first word from which reading titles until a page is full is faster than finding the phrase. */
const TRIED_ROWS_MIN = 3_000;

function titleStartRows(
  context: SearchContext,
  { start, besides }: Extract<TermStepTest, { kind: "titleStart" }>,
): Omit<RankingStep, "number"> {
  const phrase = titleStart(start.words, start.isPrefix);
  const narrow = (rows: DocIdSet): DocIdSet => {
    return besides !== undefined && cardinality(rows) > 0 ? within(rows, matchClause(context, besides, "title")) : rows;
  };
  // One token is one set. For several tokens, reading their positions in all rows is expensive; without lists, the
  // rows of the first one cost as much.
  if (phrase.tokens.length === 1 || !hasLists(context, phrase)) {
    return { take: (among) => narrow(intersectSets(among, phraseRows(context, phrase))) };
  }
  const first = { ...phrase, tokens: phrase.tokens.slice(0, 1), isPrefix: false };
  const withFirst = (among: DocIdSet): DocIdSet => narrow(intersectSets(among, phraseRows(context, first)));
  const test = (id: number): boolean => hasTitleStart(context, id, start);
  return {
    take: (among) => {
      const rows = withFirst(among);
      const areFew = cardinality(rows) <= TITLES_READ_MAX;
      return areFew ? makeSortedSet(toIds(rows).filter(test)) : intersectSets(rows, phraseRows(context, phrase));
    },
    try: (among) => {
      const rows = withFirst(among);
      const areTried = cardinality(rows) <= TITLES_READ_MAX || cardinality(rows) >= TRIED_ROWS_MIN;
      return areTried ? { rows, test } : undefined;
    },
  };
}

function hasTitleStart({ generation }: SearchContext, id: number, start: TitleStart): boolean {
  const row = generation.sql<[string, string]>("SELECT title, ext FROM term_$g WHERE id = ?").raw().get(id) as
    | [title: string, ext: string]
    | undefined;
  return row !== undefined && matchesTitleStart(storedTitles(...row), start);
}

/** Rows of terms with a successor, and the rows of the last successors that were looked up. */
interface ReplacedTerms {
  readonly rows: DocIdSet;
  readonly targets: Map<number, number | undefined>;
}

const TARGET_BYTES = 50;

function readReplaced(context: SearchContext): ReplacedTerms {
  return cachedUntilWrite(context, "replaced", () => {
    const ids = context.generation
      .sql<number>("SELECT id FROM term_$g WHERE successor IS NOT NULL ORDER BY id")
      .pluck()
      .all();
    const replaced: ReplacedTerms = { rows: makeSortedSet(new Uint32Array(ids)), targets: new Map() };
    return [replaced, ids.length * TARGET_BYTES];
  });
}

/** Removes rows whose successor is in the set too, so that nothing is suggested twice. */
export function withoutReplaced(context: SearchContext, rows: DocIdSet): DocIdSet {
  const replaced = readReplaced(context);
  const duplicates = toIds(intersectSets(rows, replaced.rows)).filter((id) => {
    if (!replaced.targets.has(id)) replaced.targets.set(id, findSuccessorRow(context, id));
    const target = replaced.targets.get(id);
    return target !== undefined && containsRow(rows, target);
  });
  return subtractSet(rows, makeDocIdSet(duplicates));
}

function findSuccessorRow({ generation }: SearchContext, id: number): number | undefined {
  const successor = generation.sql<string | null>("SELECT successor FROM term_$g WHERE id = ?").pluck();
  return lastSuccessor({ id }, (term) => {
    const next = successor.get(term.id);
    return next === undefined || next === null ? undefined : findRow(generation, next);
  })?.id;
}

/** Returns the rows with a word similar to each typed word; undefined if no word is long enough to have typos. */
export function typoRows(
  context: SearchContext,
  typed: readonly TypedWord[],
  columns: StepColumns,
): DocIdSet | undefined {
  if (!mayHaveTypos(typed)) return undefined;
  return typed.map((word) => nearRows(context, word, columns)).reduce(intersectSets);
}

/** Maximum memory of the rows of similar words that are kept. Larger ones would evict sets that many searches need. */
const NEAR_BYTES_MAX = 256 * 1024;

function nearRows(context: SearchContext, typed: TypedWord, columns: StepColumns): DocIdSet {
  const { word, isPrefix } = typed;
  const edits = typosMax(word);
  if (edits === 0) return phraseRows(context, { table: "term_fts", tokens: [word], isPrefix, columns });
  const findSimilar = (): readonly string[] => {
    const words = termWords(context.generation, context.vocabulary, context.cache, context.build);
    return isPrefix ? words.similarBeginnings({ word, edits }) : words.similar({ word, edits });
  };
  const ranked = rankedNearRows(context, typed, findSimilar)[columns];
  if (!hasDelta(context)) return ranked;
  return uniteSets(ranked, deltaWordRows(context, findSimilar(), { table: "term_fts", before: "", columns, isPrefix }));
}

/** Returns the ranked rows with a similar word. Each request while a person types repeats the earlier words. */
function rankedNearRows(
  context: SearchContext,
  { word, isPrefix }: TypedWord,
  findSimilar: () => readonly string[],
): RowsByColumns {
  const { cache, generation, nearRows: ofThisSearch } = context;
  const key = `${generation.g} near ${word}${isPrefix ? "*" : ""}`;
  const known = ofThisSearch.get(key) ?? cache.get<RowsByColumns>(key);
  if (known !== undefined) return known;
  const rows = rankedRowsByColumns(context, findSimilar(), isPrefix);
  const bytes = Object.values(rows).reduce((sum, set) => sum + bytesOfSet(set), 0);
  ofThisSearch.set(key, rows);
  if (bytes <= NEAR_BYTES_MAX) cache.set(key, rows, bytes);
  return rows;
}
