/** Requests to OpenSearch for a question about records. */
import type { RecordScope, RecordSearch } from "../../../ports/search-index.js";
import type { CountedFacet } from "../../../query/facet-kinds/declared-facets.js";
import { isStepped } from "../../../query/facet-kinds/facet-kinds.js";
import { placeBefore } from "../../separate-index/overlay/record-places.js";
import type { WantedCounts } from "../facets/facet-counter.js";
import { type CompileContext, compileQuery } from "./compile-query.js";
import { allOf, anyOf, EVERYTHING, hasToken, notOf, type Query } from "./dsl.js";
import { compileFilter, countAggregations, edgeAggregations, partAggregations } from "./facet-aggregations.js";
import { HIT_FIELDS, makeSearchAfter, makeSort, orderedQuery } from "./record-order.js";

type Body = Readonly<Record<string, unknown>>;

/** A search of one index, without the records that are judged elsewhere. */
export interface RecordQuestion {
  readonly search: RecordSearch;
  /** All requested facets, including those that only filter. */
  readonly facets: readonly CountedFacet[];
  /** Ids of records that the index may have otherwise than the store. */
  readonly leftOut: readonly string[];
  /** Number of the first requested hit, counted from the start of the page, and the number of hits. */
  readonly from: number;
  readonly limit: number;
  /** Counts that are needed besides the largest buckets, by the names of facets. */
  readonly wanted: ReadonlyMap<string, WantedCounts>;
}

/** Returns the body of the request for total, page and facets. */
export function searchBody(question: RecordQuestion, context: CompileContext): Body {
  const { search, from, limit } = question;
  const { filters, found, passing } = makeFilters(question, context);
  const counted = question.facets.filter(({ size }) => size > 0);
  const aggregations = counted.map((facet, i) => {
    const wanted = question.wanted.get(facet.name) ?? { keys: [] };
    return [`f${i}`, countAmongOthers(filters, facet, countAggregations(facet, wanted, context))] as const;
  });
  const pageStart = placeBefore(search.page, search.sort);
  return {
    ...HIT_FIELDS,
    track_total_hits: true,
    size: limit,
    ...(pageStart === undefined ? { from } : { search_after: makeSearchAfter(search, pageStart, context) }),
    query: orderedQuery(found, search, context),
    ...(passing === EVERYTHING ? {} : { post_filter: passing }),
    sort: makeSort(search, context),
    ...(aggregations.length === 0 ? {} : { aggs: Object.fromEntries(aggregations) }),
  };
}

/** Returns the body of the request for the numbers that determine the edges of equal steps. */
export function extremesBody(question: RecordQuestion, context: CompileContext): Body {
  const { filters, found } = makeFilters(question, context);
  const stepped = question.facets.filter(needsEdges);
  const aggregations = stepped.map((facet, i) => [
    `f${i}`,
    countAmongOthers(filters, facet, edgeAggregations(facet, context)),
  ]);
  return {
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [found] } },
    aggs: Object.fromEntries(aggregations),
  };
}

/** Returns the bodies of requests for all buckets of a tree, each for a part of them. */
export function treeBodies(
  question: RecordQuestion,
  facet: CountedFacet,
  parts: number,
  context: CompileContext,
): readonly Body[] {
  const { filters, found } = makeFilters(question, context);
  return Array.from({ length: parts }, (_, part) => ({
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [found] } },
    aggs: { f0: countAmongOthers(filters, facet, partAggregations(facet, part, parts, context)) },
  }));
}

/** Returns whether the facet counts equal steps, whose edges depend on the hits. */
export const needsEdges = ({ buckets, size }: CountedFacet): boolean => isStepped(buckets) && size > 0;

interface Filters {
  /** Filters of facets that are counted over the hits of all others. */
  readonly filters: ReadonlyMap<CountedFacet, Query>;
  /** Query for everything that any facet counts. */
  readonly found: Query;
  /** Query for the hits within that. */
  readonly passing: Query;
}

function makeFilters({ search, facets, leftOut }: RecordQuestion, context: CompileContext): Filters {
  const filtering = facets.filter(({ selected }) => selected.length > 0);
  const compiled = (facetList: readonly CountedFacet[]) => facetList.map((facet) => compileFilter(facet, context));
  const countedFilters = filtering.filter(({ size }) => size > 0);
  const matching = allOf([
    compileScope(search.scope),
    compileQuery(search.clause, context),
    // The filter of a facet that is not counted applies to all counts.
    ...compiled(filtering.filter(({ size }) => size === 0)),
    ...(leftOut.length === 0 ? [] : [notOf(hasToken("id", leftOut))]),
  ]);
  const passing = compiled(countedFilters);
  return {
    filters: new Map(countedFilters.map((facet, i) => [facet, passing[i]!])),
    found: matching,
    passing: allOf(passing),
  };
}

/** Counts over the hits of the filters of all other facets. */
function countAmongOthers(filters: Filters["filters"], facet: CountedFacet, aggs: object): object {
  const otherFilters = [...filters].flatMap(([otherFacet, filter]) => (otherFacet === facet ? [] : [filter]));
  return { filter: allOf(otherFilters), aggs };
}

const DRAFT = hasToken("state", ["draft"]);
const PUBLISHED = hasToken("state", ["published"]);
/** Matches records whose other state exists too. */
const HAS_OTHER_STATE = hasToken("twin", [true]);

/** Returns the query for the records that a caller may find. */
function compileScope(scope: RecordScope): Query {
  const models = hasToken("model", scope.models);
  switch (scope.kind) {
    case "public":
      return allOf([models, shownQuery(scope.allVersions)]);
    case "readable": {
      const { user } = scope;
      const readableDrafts =
        user === undefined ? EVERYTHING : anyOf([hasToken("owner", [user]), hasToken("share", [user])]);
      return allOf([models, anyOf([shownQuery(scope.allVersions), allOf([DRAFT, readableDrafts])])]);
    }
    case "owner": {
      const withoutDraft = allOf([shownQuery(scope.allVersions), notOf(HAS_OTHER_STATE)]);
      return allOf([
        models,
        hasToken("owner", [scope.owner]),
        anyOf([DRAFT, withoutDraft]),
        publicationQuery(scope.isPublished),
      ]);
    }
    case "shared":
      return allOf([models, DRAFT, hasToken("share", [scope.user]), publicationQuery(scope.isPublished)]);
    case "drafts":
      return allOf([models, DRAFT, publicationQuery(scope.isPublished)]);
  }
}

const shownQuery = (allVersions = false): Query =>
  allVersions ? PUBLISHED : allOf([PUBLISHED, hasToken("latest", [true])]);

/** Returns the query for the required state of publication. */
function publicationQuery(isRequired: boolean | undefined): Query {
  if (isRequired === undefined) return EVERYTHING;
  const isPublished = anyOf([PUBLISHED, HAS_OTHER_STATE]);
  return isRequired ? isPublished : notOf(isPublished);
}
