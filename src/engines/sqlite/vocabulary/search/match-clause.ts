import type { Clause } from "../../../../query/index-model/clause.js";
import { pathToken } from "../../../../query/index-model/term-document.js";
import {
  type DocIdSet,
  EMPTY_SET,
  MATCH_ALL,
  type MatchSet,
  matching,
  or,
  setOfSorted,
} from "../../bitmaps/doc-id-set.js";
import type { ExpandedClause } from "../../lexicon/lexicon.js";
import {
  allPlans,
  anyPlan,
  EVERYTHING,
  evaluate,
  type LeafEvaluator,
  NOTHING,
  notPlan,
  type Plan,
} from "../../plan/plan.js";
import { findRow } from "../store/term-rows.js";
import { subtreeRows } from "./descendants.js";
import { phraseRows, type WordPlace, wordRows } from "./match-rows.js";
import { type Phrase, type PhraseClause, phrasesOf, type TextColumns } from "./phrases.js";
import { type Range, rangeRows } from "./range-rows.js";
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
      return matching(leaf.phrases.map((phrase) => phraseRows(context, phrase, leaf.clause)).reduce(or, EMPTY_SET));
    case "expanded":
      return matching(expandedRows(context, leaf.clause, leaf.columns));
    case "range":
      return rangeRows(context, leaf.clause, few);
    case "cites":
      return matching(citedRows(context, leaf.clause));
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
    .reduce(or, EMPTY_SET);
}

/** Returns the row of the term that a clause names, or its subtree. No other row cites a term here. */
function citedRows(context: SearchContext, clause: Extract<Clause, { kind: "cites" }>): DocIdSet {
  const isOwnTerm = clause.sites === undefined && clause.vocabularies.includes(context.vocabulary.name);
  if (!isOwnTerm) return EMPTY_SET;
  if (clause.within) return subtreeRows(context, clause.id);
  const row = findRow(context.generation, clause.id);
  return row === undefined ? EMPTY_SET : setOfSorted(Uint32Array.of(row.id));
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
      return EVERYTHING;
    case "nothing":
    case "element":
      return NOTHING;
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
