import type { Clause } from "../../../../query/index-model/clause.js";
import { pathToken } from "../../../../query/index-model/term-tokens.js";
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
import { evaluate, type Level } from "../../plan/plan.js";
import { findRow } from "../store/term-rows.js";
import { selfAndBelow } from "./descendants.js";
import { expressionRows, phraseRows, type WordPlace, wordRows } from "./match-rows.js";
import type { TextColumns } from "./phrases.js";
import { rangeRows } from "./range-rows.js";
import type { SearchContext } from "./search-context.js";
import { compileTerms, type TermLeaf } from "./term-plan.js";

/**
 * The rows that fulfil a clause. Rows that were taken away may be among them, see `liveAmong`.
 * @param columns restricts unfielded text, but for what is negated
 * @throws BinderyError QUERY_TOO_COSTLY
 */
export function matchClause(context: SearchContext, clause: Clause, columns: TextColumns = "all"): MatchSet {
  const question = `${columns} ${JSON.stringify(clause)}`;
  const known = context.answers.get(question);
  if (known !== undefined) return known;
  const answer = evaluate(compileTerms(context, clause, columns), levelOf(context));
  context.answers.set(question, answer);
  return answer;
}

/** Plans about terms: their rows are those of `term`. */
function levelOf(context: SearchContext): Level<TermLeaf, MatchSet> {
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
    case "match":
      return matching(expressionRows(context, leaf.table, leaf.expression, leaf.clause));
    case "expanded":
      return matching(expandedRows(context, leaf.clause, leaf.columns));
    case "range":
      return rangeRows(context, leaf.clause, few);
    case "cites":
      return matching(citedRows(context, leaf.clause));
  }
}

/** The rows with one of the words that the clause stands for. */
function expandedRows(context: SearchContext, clause: ExpandedClause, columns: TextColumns): DocIdSet {
  const words = context.expand(clause);
  const { place } = clause;
  const at = (where: Omit<WordPlace, "isPrefix">): DocIdSet =>
    wordRows(context, words, { ...where, isPrefix: false }, clause);
  if (place.in === "text") return at({ table: "term_fts", before: "", columns });
  return place.paths
    .map((path) => at({ table: "term_at", before: pathToken(path, ""), columns: "all" }))
    .reduce(or, EMPTY_SET);
}

function citedRows(context: SearchContext, clause: Extract<Clause, { kind: "cites" }>): DocIdSet {
  const isHere = clause.sites === undefined && clause.vocabularies.includes(context.vocabulary.name);
  if (!isHere) return EMPTY_SET;
  if (clause.within) return selfAndBelow(context, clause.id);
  const row = findRow(context.generation, clause.id);
  return row === undefined ? EMPTY_SET : setOfSorted(Uint32Array.of(row.id));
}
