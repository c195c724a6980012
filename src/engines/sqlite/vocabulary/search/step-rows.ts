import { storedTitles } from "../../../../core/terms/term-row.js";
import {
  matchesTitleStart,
  type StepColumns,
  type TermStep,
  type TermStepTest,
  type TitleStart,
} from "../../../../query/ranking/term-steps.js";
import {
  and,
  andNot,
  cardinality,
  type DocIdSet,
  EMPTY_SET,
  MATCH_ALL,
  type MatchSet,
  setOfSorted,
} from "../../bitmaps/doc-id-set.js";
import type { Step } from "../../plan/ranked-page.js";
import { matchClause } from "./match-clause.js";
import { isCommon, phraseRows } from "./match-rows.js";
import { titleStart } from "./phrases.js";
import type { SearchContext } from "./search-context.js";
import { identifiedRows, namedRows } from "./term-lookups.js";

/** Sets of rows that the steps of suggestions use in addition to clauses. */
interface NearMatches {
  /** Matches without tolerated typos and prefixes. */
  readonly exact: MatchSet;
  /** Returns the rows with words similar to the typed ones. */
  near(columns: StepColumns): DocIdSet;
}

/** Makes the steps of a ranking, which take rows. @param matches only for steps of `withForgiven` */
export function stepRows(context: SearchContext, steps: readonly TermStep[], matches?: NearMatches): readonly Step[] {
  const { exact = MATCH_ALL, near = () => EMPTY_SET } = matches ?? {};
  return steps.map(({ number, test, isExact }): Step => {
    const step = { number, ...compileTest(context, test, near) };
    if (isExact !== true) return step;
    return {
      number,
      take: (among) => step.take(within(among, exact)),
      ...(step.try === undefined ? {} : { try: (among: DocIdSet) => step.try?.(within(among, exact)) }),
    };
  });
}

/** Compiles the test of a step. */
function compileTest(context: SearchContext, test: TermStepTest, near: NearMatches["near"]): Omit<Step, "number"> {
  switch (test.kind) {
    case "identified":
      return { take: (among) => and(among, identifiedRows(context, test.by)) };
    case "named":
      return { take: (among) => and(among, setOfSorted(namedRows(context, test.key, test.as))) };
    case "titleStart":
      return titleStartRows(context, test);
    case "clause":
      return { take: (among) => within(among, matchClause(context, test.clause, test.columns)) };
    case "near":
      return { take: (among) => and(among, near(test.columns)) };
    case "rest":
      return { take: (among) => among };
  }
}

/** Returns the rows that are in the set. */
const within = (among: DocIdSet, { rows, isComplement }: MatchSet): DocIdSet =>
  isComplement ? andNot(among, rows) : and(among, rows);

function titleStartRows(
  context: SearchContext,
  { start, besides }: Extract<TermStepTest, { kind: "titleStart" }>,
): Omit<Step, "number"> {
  const phrase = titleStart(start.words, start.isPrefix);
  const narrow = (rows: DocIdSet): DocIdSet => {
    return besides !== undefined && cardinality(rows) > 0 ? within(rows, matchClause(context, besides, "title")) : rows;
  };
  return {
    take: (among) => narrow(and(among, phraseRows(context, phrase))),
    try: (among) => {
      // One token is one set. For several common tokens, reading their positions in all rows is expensive.
      if (phrase.tokens.length === 1 || !isCommon(context, phrase)) return undefined;
      const first = { ...phrase, tokens: phrase.tokens.slice(0, 1), isPrefix: false };
      return { rows: narrow(and(among, phraseRows(context, first))), test: (id) => hasTitleStart(context, id, start) };
    },
  };
}

function hasTitleStart({ generation }: SearchContext, id: number, start: TitleStart): boolean {
  const row = generation.sql<[string, string]>("SELECT title, ext FROM term_$g WHERE id = ?").raw().get(id) as
    | [title: string, ext: string]
    | undefined;
  return row !== undefined && matchesTitleStart(storedTitles(...row), start);
}
