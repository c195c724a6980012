import { readTermContent } from "../../../../core/terms/term-row.js";
import type { Bound, Clause } from "../../../../query/index-model/clause.js";
import { pathToken } from "../../../../query/index-model/term-document.js";
import { termLeaves } from "../../../../query/index-model/term-leaves.js";
import { compareKeywords, foldKeyword } from "../../../../query/text/analyse.js";
import {
  type DocIdSet,
  EMPTY_SET,
  intersectMatches,
  MATCH_ALL,
  MATCH_NONE,
  type MatchSet,
  makeDocIdSet,
  makeSortedSet,
  matchExactly,
  toIds,
  uniteMatches,
  uniteSets,
} from "../../bitmaps/doc-id-set.js";
import type { ExpandedClause } from "../../lexicon/lexicon.js";
import {
  allPlans,
  anyPlan,
  EVERYTHING_PLAN,
  evaluate,
  type LeafEvaluator,
  NOTHING_PLAN,
  notPlan,
  type Plan,
} from "../../plan/plan.js";
import { rowsById } from "../store/term-reader.js";
import { findRow } from "../store/term-rows.js";
import { subtreeRows } from "./descendants.js";
import { distinctPathValues } from "./facet-column.js";
import { liveAmong } from "./live-docs.js";
import { phraseRows, type WordPlace, wordRows } from "./match-rows.js";
import { existsPhrase, type Phrase, type PhraseClause, phrasesOf, type TextColumns } from "./phrases.js";
import type { SearchContext } from "./search-context.js";

/**
 * Returns the rows that fulfil a clause. Some may be deleted rows, see `liveAmong`.
 * @param columns restricts text without a field, except in negated clauses
 * @throws BinderyError QUERY_TOO_COSTLY
 */
export function matchClause(context: SearchContext, clause: Clause, columns: TextColumns = "all"): MatchSet {
  const key = `${columns} ${JSON.stringify(clause)}`;
  const cached = context.matchSets.get(key);
  if (cached !== undefined) return cached;
  const matches = evaluate(compileTerms(context, clause, columns), makeTermEvaluator(context));
  context.matchSets.set(key, matches);
  return matches;
}

/** Makes the evaluator for plans about terms, whose rows are those of the table `term`. */
function makeTermEvaluator(context: SearchContext): LeafEvaluator<TermLeaf, MatchSet> {
  return {
    check: () => context.checkTime(),
    leaf(leaf, few) {
      context.checkTime(leaf.clause);
      return matchLeaf(context, leaf, few);
    },
    readsDocuments: ({ kind }) => kind === "range",
    fewOf: (set) => set,
  };
}

function matchLeaf(context: SearchContext, leaf: TermLeaf, few: MatchSet = MATCH_ALL): MatchSet {
  switch (leaf.kind) {
    case "phrases":
      return matchExactly(
        leaf.phrases.map((phrase) => phraseRows(context, phrase, leaf.clause)).reduce(uniteSets, EMPTY_SET),
      );
    case "expanded":
      return matchExactly(expandedRows(context, leaf.clause, leaf.columns));
    case "range":
      return rangeRows(context, leaf.clause, few);
    case "cites":
      return matchExactly(citedRows(context, leaf.clause));
  }
}

/** Returns the rows with one of the words that match a wildcard or are similar to a word. */
function expandedRows(context: SearchContext, clause: ExpandedClause, columns: TextColumns): DocIdSet {
  const words = context.expand(clause);
  const { place } = clause;
  const rowsAt = (wordPlace: Omit<WordPlace, "isPrefix">): DocIdSet =>
    wordRows(context, words, { ...wordPlace, isPrefix: false }, clause);
  if (place.in === "text") return rowsAt({ table: "term_fts", before: "", columns });
  return place.paths
    .map((path) => rowsAt({ table: "term_at", before: pathToken(path, ""), columns: "all" }))
    .reduce(uniteSets, EMPTY_SET);
}

/** Returns the row of the term that a clause names, or its subtree. No other row cites a term here. */
function citedRows(context: SearchContext, clause: Extract<Clause, { kind: "cites" }>): DocIdSet {
  const isOwnTerm = clause.sites === undefined && clause.vocabularies.includes(context.vocabulary.name);
  if (!isOwnTerm) return EMPTY_SET;
  if (clause.within) return subtreeRows(context, clause.id);
  const row = findRow(context.generation, clause.id);
  return row === undefined ? EMPTY_SET : makeSortedSet(Uint32Array.of(row.id));
}

/** The evaluation plan of a clause about the terms of a vocabulary. */
type TermPlan = Plan<TermLeaf>;

/** A leaf of a plan. Each has its clause, which the error names if the search takes too long. */
type TermLeaf =
  /** The term has one of the phrases. */
  | { readonly kind: "phrases"; readonly phrases: readonly Phrase[]; readonly clause: PhraseClause }
  /** The term has one of the words that the clause is expanded to. */
  | { readonly kind: "expanded"; readonly columns: TextColumns; readonly clause: ExpandedClause }
  /** The term has a value in the range. */
  | { readonly kind: "range"; readonly clause: Range }
  /** The term is the cited one, or its descendant. */
  | { readonly kind: "cites"; readonly clause: Cites };

type Cites = Extract<Clause, { kind: "cites" }>;

/** Compiles a clause to a plan. @param columns restricts text without a field, except in negated clauses */
function compileTerms(context: SearchContext, clause: Clause, columns: TextColumns): TermPlan {
  switch (clause.kind) {
    case "everything":
      return EVERYTHING_PLAN;
    case "nothing":
    case "element":
      return NOTHING_PLAN;
    case "all":
      return allPlans(clause.of.map((part) => compileTerms(context, part, columns)));
    case "any":
      return anyPlan(clause.of.map((part) => compileTerms(context, part, columns)));
    case "not":
      return notPlan(compileTerms(context, clause.of, "all"));
    case "words":
    case "prefix":
    case "exists":
      return { kind: "phrases", phrases: phrasesOf(context, clause, columns), clause };
    case "wildcard":
    case "fuzzy":
      return { kind: "expanded", columns, clause };
    case "range":
    case "cites":
      return { kind: clause.kind, clause } as TermLeaf;
  }
}

/** A clause for a range of values. */
export type Range = Extract<Clause, { kind: "range" }>;

/** Returns the rows with a value in the range. @param among the only rows that matter; others may be left out */
function rangeRows(context: SearchContext, clause: Range, among: MatchSet): MatchSet {
  const { generation, vocabulary } = context;
  if (clause.type !== "keyword") {
    const { from, to } = clause;
    const statement = generation.sql<number>(
      `SELECT id FROM val_$g WHERE path = ? AND typeof(value) <> 'text'
       AND value ${from?.inclusive === false ? ">" : ">="} ? AND value ${to?.inclusive === false ? "<" : "<="} ?`,
    );
    const low = Number(from?.value ?? Number.NEGATIVE_INFINITY);
    const high = Number(to?.value ?? Number.POSITIVE_INFINITY);
    return matchExactly(makeDocIdSet(clause.paths.flatMap((path) => statement.pluck().all(path, low, high))));
  }
  const facets = new Set(vocabulary.facets.map((facet) => facet.path));
  const facetPaths = clause.paths.filter((path) => facets.has(path));
  const otherPaths = clause.paths.filter((path) => !facets.has(path));
  const sets = facetPaths.map((path) => rowsByKey(context, clause, path));
  if (otherPaths.length > 0) sets.push(rowsByContent(context, clause, otherPaths, among));
  return sets.reduce(uniteMatches, MATCH_NONE);
}

/** Finds the rows by the distinct keys of a facet that are in the range. */
function rowsByKey(context: SearchContext, clause: Range, path: string): MatchSet {
  const keys = distinctPathValues(context.generation, path).filter((value) => typeof value === "string");
  const rows = context.generation.sql<number>("SELECT id FROM val_$g WHERE path = ? AND value = ?").pluck();
  const keysInRange = keys.filter((key) => isWithinBounds(foldKeyword(key), clause));
  return matchExactly(makeDocIdSet(keysInRange.flatMap((key) => rows.all(path, key))));
}

/** Number of terms that are read between two checks of the time limit. */
const TERMS_AT_ONCE = 500;

/** Finds the rows by reading the terms, because no table contains the values at these paths. */
function rowsByContent(context: SearchContext, clause: Range, paths: readonly string[], among: MatchSet): MatchSet {
  const { generation, vocabulary } = context;
  const withValue = paths.map((path) => phraseRows(context, existsPhrase(path), clause)).reduce(uniteSets, EMPTY_SET);
  const ids = toIds(liveAmong(context, intersectMatches(among, matchExactly(withValue))));
  const rowsInRange: number[] = [];
  for (let from = 0; from < ids.length; from += TERMS_AT_ONCE) {
    context.checkTime(clause);
    for (const row of rowsById(generation, ids.subarray(from, from + TERMS_AT_ONCE))) {
      const leaves = termLeaves(readTermContent(row), vocabulary);
      const isInRange = leaves.some(
        ({ path, keyword }) =>
          path !== null &&
          keyword !== undefined &&
          paths.includes(path) &&
          isWithinBounds(foldKeyword(keyword), clause),
      );
      if (isInRange) rowsInRange.push(row.id);
    }
  }
  return matchExactly(makeSortedSet(new Uint32Array(rowsInRange)));
}

/** Returns whether a folded keyword is within the bounds. An absent bound does not restrict it. */
function isWithinBounds(
  folded: string,
  { from, to }: { readonly from?: Bound | undefined; readonly to?: Bound | undefined },
): boolean {
  if (from !== undefined) {
    const order = compareKeywords(folded, String(from.value));
    if (order < 0 || (order === 0 && !from.inclusive)) return false;
  }
  if (to === undefined) return true;
  const order = compareKeywords(folded, String(to.value));
  return order < 0 || (order === 0 && to.inclusive);
}
