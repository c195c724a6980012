/** Conditions on terms, each as a query of the index and as a test of terms in memory. */
import { compileClause } from "../../../query/evaluate/compile-clause.js";
import { compileFacetFilter } from "../../../query/evaluate/facet-values.js";
import { compileTermStep, type TermStepContext, type TermTest } from "../../../query/evaluate/term-in-memory.js";
import { type CountedFacet, facetClause } from "../../../query/facets/declared-facets.js";
import type { Clause } from "../../../query/index-model/clause.js";
import { IDENTIFIER_NAME } from "../../../query/index-model/term-document.js";
import type { TermStep } from "../../../query/ranking/term-steps.js";
import { fieldName } from "../documents/term-document.js";
import {
  andQueries,
  EVERYTHING_QUERY,
  hasToken,
  type IndexQuery,
  NOTHING_QUERY,
  notQuery,
  orQueries,
} from "../query/dsl.js";
import { compileStepQuery, compileTermQuery, identifierQuery, type QueryContext } from "./term-query.js";

/** A condition on terms: the query of the index, and the same test of changed terms in memory. */
export interface TermCondition {
  readonly query: IndexQuery;
  readonly test: TermTest;
}

/** The condition of all terms. */
export const EVERY_TERM: TermCondition = { query: EVERYTHING_QUERY, test: () => true };
/** The condition of no term. */
export const NO_TERM: TermCondition = { query: NOTHING_QUERY, test: () => false };

/** Returns the conjunction of conditions. */
export const allConditions = (conditions: readonly TermCondition[]): TermCondition => ({
  query: andQueries(conditions.map(({ query }) => query)),
  test: (term) => conditions.every(({ test }) => test(term)),
});

/** Returns the disjunction of conditions. */
export const anyCondition = (conditions: readonly TermCondition[]): TermCondition => ({
  query: orQueries(conditions.map(({ query }) => query)),
  test: (term) => conditions.some(({ test }) => test(term)),
});

/** Returns the negation of a condition. */
export const notCondition = ({ query, test }: TermCondition): TermCondition => ({
  query: notQuery(query),
  test: (term) => !test(term),
});

/** Returns the condition of terms with one of the ids. */
export function hasId(ids: Iterable<string>): TermCondition {
  const set = new Set(ids);
  return { query: hasToken("id", [...set]), test: ({ content }) => set.has(content.id) };
}

/** Facts about a search that its conditions need. */
export type ConditionContext = QueryContext & TermStepContext;

/** Returns the condition of terms that match a clause. */
export function clauseCondition(clause: Clause, context: ConditionContext): TermCondition {
  const test = compileClause(clause, context.isDescendant);
  return { query: compileTermQuery(clause, "all", context), test: (term) => test(term, 0) };
}

/** The condition of a step of a ranking. The step takes the terms that match it and no earlier one. */
export interface StepCondition extends TermCondition {
  readonly number: number;
  /** A condition that all terms of the step match, and that `test` includes. Steps can share it: it is sent once. */
  readonly within?: TermCondition;
}

/** Compiles a step of a ranking. */
export const compileStep = ({ number, test }: TermStep, context: ConditionContext): StepCondition => ({
  number,
  query: compileStepQuery(test, context),
  test: compileTermStep(test, context),
});

/** Returns the condition of terms with the identifier at the end of a URL. */
export const urlCondition = (key: string | undefined): TermCondition =>
  key === undefined ? NO_TERM : { query: identifierQuery([key]), test: (term) => term.hasName(IDENTIFIER_NAME, key) };

/** The context of clauses that name no term. */
export const WITHOUT_TERMS: ConditionContext = {
  vocabulary: "",
  belowQuery: () => NOTHING_QUERY,
  isDescendant: () => false,
};

/** Returns the condition of terms with a selected value of a facet. */
export function facetCondition(facet: CountedFacet): TermCondition {
  const { name, buckets, paths, selected } = facet;
  if (selected.length === 0) return EVERY_TERM;
  const clause = facetClause(buckets, paths, selected);
  const query =
    clause === undefined
      ? hasToken(`facet.${fieldName(name)}`, [...new Set(selected)])
      : compileTermQuery(clause, "all", WITHOUT_TERMS);
  const passes = compileFacetFilter(facet, WITHOUT_TERMS.isDescendant);
  return { query, test: (term) => passes(term, 0) };
}
