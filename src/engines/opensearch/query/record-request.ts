/** A question about records as OpenSearch is asked it. */
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { type CompileContext, compileQuery } from "./compile-query.js";
import { compileScope } from "./compile-scope.js";
import { allOf, EVERYTHING, hasToken, notOf, type Query } from "./dsl.js";
import { compileFilter, countAggregations, extremeAggregations, partAggregations } from "./facet-aggregations.js";
import { HIT_FIELDS, orderedQuery, sortKeyOf, sortOf } from "./record-order.js";
import { placeBefore } from "./record-places.js";
import type { RecordQuestion } from "./record-question.js";

type Body = Readonly<Record<string, unknown>>;

/** The body of the request for total, page and facets. */
export function searchBody(question: RecordQuestion, context: CompileContext): Body {
  const { search, from, limit } = question;
  const { filters, found, passing } = filtersOf(question, context);
  const counted = question.facets.filter(({ size }) => size > 0);
  const aggregated = counted.map((facet, i) => {
    const wanted = question.wanted.get(facet.name) ?? { keys: [] };
    return [`f${i}`, among(filters, facet, countAggregations(facet, wanted, context))] as const;
  });
  const before = placeBefore(search.page, search.sort);
  return {
    ...{ ...HIT_FIELDS, track_total_hits: true, size: limit },
    ...(before === undefined ? { from } : { search_after: sortKeyOf(search, before, context) }),
    query: orderedQuery(found, search, context),
    ...(passing === EVERYTHING ? {} : { post_filter: passing }),
    sort: sortOf(search, context),
    ...(aggregated.length === 0 ? {} : { aggs: Object.fromEntries(aggregated) }),
  };
}

/** The body of the request for the numbers between which the steps of facets are made. */
export function extremesBody(question: RecordQuestion, context: CompileContext): Body {
  const { filters, found } = filtersOf(question, context);
  const stepped = question.facets.filter(isStepped);
  const aggregated = stepped.map((facet, i) => [`f${i}`, among(filters, facet, extremeAggregations(facet, context))]);
  return {
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [found] } },
    aggs: Object.fromEntries(aggregated),
  };
}

/** The bodies of requests for all buckets of a tree, a part of them each. */
export function treeBodies(
  question: RecordQuestion,
  facet: CountedFacet,
  parts: number,
  context: CompileContext,
): readonly Body[] {
  const { filters, found } = filtersOf(question, context);
  return Array.from({ length: parts }, (_, part) => ({
    ...{ size: 0, track_total_hits: false, query: { bool: { filter: [found] } } },
    aggs: { f0: among(filters, facet, partAggregations(facet, part, parts, context)) },
  }));
}

/** Does the facet count equal steps, which depend on what there is? */
export const isStepped = ({ buckets, size }: CountedFacet): boolean => buckets.kind === "steps" && size > 0;

interface Filters {
  /** Of facets that are counted over the hits of all others. */
  readonly filters: ReadonlyMap<CountedFacet, Query>;
  /** All that is counted by any facet. */
  readonly found: Query;
  /** The hits among that. */
  readonly passing: Query;
}

function filtersOf({ search, facets, leftOut }: RecordQuestion, context: CompileContext): Filters {
  const filtering = facets.filter(({ selected }) => selected.length > 0);
  const compiled = (some: readonly CountedFacet[]) => some.map((facet) => compileFilter(facet, context));
  const own = filtering.filter(({ size }) => size > 0);
  const found = allOf([
    ...[compileScope(search.scope), compileQuery(search.clause, context)],
    // What a facet that is not counted lets through is so for all.
    ...compiled(filtering.filter(({ size }) => size === 0)),
    ...(leftOut.length === 0 ? [] : [notOf(hasToken("id", leftOut))]),
  ]);
  const passing = compiled(own);
  return { filters: new Map(own.map((facet, i) => [facet, passing[i]!])), found, passing: allOf(passing) };
}

/** Counts over the hits of the filters of all other facets. */
function among(filters: Filters["filters"], facet: CountedFacet, aggs: object): object {
  const others = [...filters].flatMap(([other, filter]) => (other === facet ? [] : [filter]));
  return { filter: allOf(others), aggs };
}
