import { addAll } from "../../../../core/collections.js";
import { storedTitles } from "../../../../core/terms/term-row.js";
import { IDENTIFIER } from "../../../../query/index-model/term-keys.js";
import {
  beginsSo,
  type IdentifierKeys,
  isId,
  type StepColumns,
  type TermStep,
  type TermTest,
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
  setOf,
  setOfSorted,
} from "../../bitmaps/doc-id-set.js";
import type { Step } from "../../plan/ranked-page.js";
import { matchClause } from "./match-clause.js";
import { isCommon, phraseRows } from "./match-rows.js";
import { titleStart } from "./phrases.js";
import type { SearchContext } from "./search-context.js";

/** What the steps of suggestions need to know beside the clause. */
interface NearMatches {
  /** What matches truly. */
  readonly exact: MatchSet;
  /** Rows with words near to those that were typed. */
  near(columns: StepColumns): DocIdSet;
}

/** Makes steps that take rows. @param matches only for steps of `withForgiven` */
export function stepRows(context: SearchContext, steps: readonly TermStep[], matches?: NearMatches): readonly Step[] {
  const { exact = MATCH_ALL, near = () => EMPTY_SET } = matches ?? {};
  return steps.map(({ number, test, isExact }): Step => {
    const step = { number, ...rowsOf(context, test, near) };
    if (isExact !== true) return step;
    return {
      number,
      take: (among) => step.take(within(among, exact)),
      ...(step.try === undefined ? {} : { try: (among: DocIdSet) => step.try?.(within(among, exact)) }),
    };
  });
}

function rowsOf(context: SearchContext, test: TermTest, near: NearMatches["near"]): Omit<Step, "number"> {
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

/** Those of the rows that are in the set. */
const within = (among: DocIdSet, { rows, isComplement: except }: MatchSet): DocIdSet =>
  except ? andNot(among, rows) : and(among, rows);

function titleStartRows(
  context: SearchContext,
  { start, besides }: Extract<TermTest, { kind: "titleStart" }>,
): Omit<Step, "number"> {
  const phrase = titleStart(start.words, start.isPrefix);
  const narrow = (rows: DocIdSet): DocIdSet => {
    return besides !== undefined && cardinality(rows) > 0 ? within(rows, matchClause(context, besides, "title")) : rows;
  };
  return {
    take: (among) => narrow(and(among, phraseRows(context, phrase))),
    try: (among) => {
      // One token is a set; where several are common, knowing where they stand in all rows is dear.
      if (phrase.tokens.length === 1 || !isCommon(context, phrase)) return undefined;
      const first = { ...phrase, tokens: phrase.tokens.slice(0, 1), isPrefix: false };
      return { rows: narrow(and(among, phraseRows(context, first))), test: (id) => rowBegins(context, id, start) };
    },
  };
}

function rowBegins({ generation }: SearchContext, id: number, start: TitleStart): boolean {
  const row = generation.sql<[string, string]>("SELECT title, ext FROM term_$g WHERE id = ?").raw().get(id) as
    | [title: string, ext: string]
    | undefined;
  return row !== undefined && beginsSo(storedTitles(...row), start);
}

/** Rows with this whole name (`nameKey`) of a kind, ascending. Rows that were taken away since may be among them. */
export function namedRows({ generation }: SearchContext, key: string, kind: number): Uint32Array {
  const ids = generation
    .sql<number>("SELECT id FROM name_$g WHERE key = ? AND kind = ? ORDER BY id")
    .pluck()
    .all(key, kind);
  // `Uint32Array.from` takes as long as the statement.
  return new Uint32Array(ids);
}

/** Rows whose id or declared identifier has one of the keys. */
export function identifiedRows(context: SearchContext, keys: IdentifierKeys): DocIdSet {
  const ids: number[] = [];
  if (keys.whole !== undefined) addAll(ids, namedRows(context, keys.whole, IDENTIFIER));
  const find = context.generation.sql<string>("SELECT ext FROM term_$g WHERE id = ?").pluck();
  for (const local of keys.local) {
    for (const id of namedRows(context, local, IDENTIFIER)) if (isId(find.get(id) ?? "", keys)) ids.push(id);
  }
  return setOf([...ids, ...urlRows(context, keys.url)]);
}

/** Rows with the first of the keys that any has. @param keys of identifiers that may end a URL (`urlKeys`) */
export function urlRows(context: SearchContext, keys: readonly string[]): Uint32Array {
  for (const key of keys) {
    const rows = namedRows(context, key, IDENTIFIER);
    if (rows.length > 0) return rows;
  }
  return new Uint32Array(0);
}
