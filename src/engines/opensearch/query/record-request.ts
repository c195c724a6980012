/** Requests to OpenSearch for a question about records. */

import { isStepped } from "../../../core/catalog/facet-kinds/facet-kinds.js";
import type { RecordScope, RecordSearch, ValueSort } from "../../../ports/search-index.js";
import type { CountedFacet } from "../../../query/facets/declared-facets.js";
import { bestMatchRecordSteps } from "../../../query/ranking/record-steps.js";
import { type PlaceKey, placeBefore, type RecordPlace } from "../../separate-index/overlay/record-places.js";
import type { WantedCounts } from "../facets/counters.js";
import { type CompileContext, compileQuery, compileTest } from "./compile-query.js";
import { andQueries, EVERYTHING_QUERY, hasToken, type IndexQuery, notQuery, orQueries } from "./dsl.js";
import { countAggregations, edgeAggregations, facetFilterQuery, partAggregations } from "./facet-aggregations.js";

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
    post_filter: passing === EVERYTHING_QUERY ? undefined : passing,
    sort: makeSort(search, context),
    aggs: aggregations.length === 0 ? undefined : Object.fromEntries(aggregations),
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
  readonly filters: ReadonlyMap<CountedFacet, IndexQuery>;
  /** Query for everything that any facet counts. */
  readonly found: IndexQuery;
  /** Query for the hits within that. */
  readonly passing: IndexQuery;
}

function makeFilters({ search, facets, leftOut }: RecordQuestion, context: CompileContext): Filters {
  const filtering = facets.filter(({ selected }) => selected.length > 0);
  const compiled = (facetList: readonly CountedFacet[]) => facetList.map((facet) => facetFilterQuery(facet, context));
  const countedFilters = filtering.filter(({ size }) => size > 0);
  const matching = andQueries([
    compileScope(search.scope),
    compileQuery(search.clause, context),
    // The filter of a facet that is not counted applies to all counts.
    ...compiled(filtering.filter(({ size }) => size === 0)),
    ...(leftOut.length === 0 ? [] : [notQuery(hasToken("id", leftOut))]),
  ]);
  const passing = compiled(countedFilters);
  return {
    filters: new Map(countedFilters.map((facet, i) => [facet, passing[i]!])),
    found: matching,
    passing: andQueries(passing),
  };
}

/** Counts over the hits of the filters of all other facets. */
function countAmongOthers(filters: Filters["filters"], facet: CountedFacet, aggs: object): object {
  const otherFilters = [...filters].flatMap(([otherFacet, filter]) => (otherFacet === facet ? [] : [filter]));
  return { filter: andQueries(otherFilters), aggs };
}

const DRAFT = hasToken("state", ["draft"]);
const PUBLISHED = hasToken("state", ["published"]);
/** Matches records whose other state exists too. */
const HAS_OTHER_STATE = hasToken("hasOtherState", [true]);

/** Returns the query for the records that a caller may find. */
function compileScope(scope: RecordScope): IndexQuery {
  const models = hasToken("model", scope.models);
  switch (scope.kind) {
    case "public":
      return andQueries([models, shownQuery(scope.allVersions)]);
    case "readable": {
      const { user } = scope;
      const readableDrafts =
        user === undefined ? EVERYTHING_QUERY : orQueries([hasToken("owner", [user]), hasToken("share", [user])]);
      return andQueries([models, orQueries([shownQuery(scope.allVersions), andQueries([DRAFT, readableDrafts])])]);
    }
    case "owner": {
      const withoutDraft = andQueries([shownQuery(scope.allVersions), notQuery(HAS_OTHER_STATE)]);
      return andQueries([
        models,
        hasToken("owner", [scope.owner]),
        orQueries([DRAFT, withoutDraft]),
        publicationQuery(scope.isPublished),
      ]);
    }
    case "shared":
      return andQueries([models, DRAFT, hasToken("share", [scope.user]), publicationQuery(scope.isPublished)]);
    case "drafts":
      return andQueries([models, DRAFT, publicationQuery(scope.isPublished)]);
  }
}

const shownQuery = (allVersions = false): IndexQuery =>
  allVersions ? PUBLISHED : andQueries([PUBLISHED, hasToken("latest", [true])]);

/** Returns the query for the required state of publication. */
function publicationQuery(isRequired: boolean | undefined): IndexQuery {
  if (isRequired === undefined) return EVERYTHING_QUERY;
  const isPublished = orQueries([PUBLISHED, HAS_OTHER_STATE]);
  return isRequired ? isPublished : notQuery(isPublished);
}

/** The last step has all remaining hits: no score is 0. */
const LAST_STEP = 6;

/** Returns the query for hits, scored by the steps of `bestmatch` if they order the hits. */
function orderedQuery(hits: IndexQuery, search: RecordSearch, context: CompileContext): IndexQuery {
  if (search.sort !== "bestmatch") return { bool: { filter: [hits] } };
  const steps = bestMatchRecordSteps(search)
    .filter(({ test }) => test.kind !== "everything")
    .map(({ number, test }) => ({
      constant_score: { filter: compileTest(test, context), boost: LAST_STEP - number },
    }));
  const ranked = steps.length === 0 ? {} : { should: [{ dis_max: { queries: steps } }], minimum_should_match: 0 };
  return { bool: { filter: [hits], ...ranked } };
}

type Sorts = readonly object[];

/** Returns `sort` of a request. */
function makeSort({ sort }: Pick<RecordSearch, "sort">, context: CompileContext): Sorts {
  if (sort === "bestmatch") return [{ _score: "desc" }, NEWEST];
  if (typeof sort === "string") return [{ order: sort === "oldest" ? "asc" : "desc" }];
  return [...valueSort(sort, context), NEWEST];
}

const NEWEST = { order: "desc" };

/** Sorts records without a number last. */
function valueSort({ by, first }: ValueSort, { numbers, numberFields }: CompileContext): Sorts {
  const fields = by.filter((path) => numberFields.has(path)).map((path) => `n.${numbers.tokenOf(path)}`);
  const [order, mode] = first === "smallest" ? ["asc", "min"] : ["desc", "max"];
  if (fields.length === 0) return [];
  if (fields.length === 1) return [{ [fields[0]!]: { order, mode, missing: "_last" } }];
  const script = { source: EXTREME, params: { fields, isSmallest: first === "smallest" } };
  return [{ _script: { type: "number", script, order } }];
}

/** Computes the smallest or largest value of some fields. The text is constant, so that it is compiled once. */
const EXTREME = `
double best = params.isSmallest ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
for (def field : params.fields) {
  for (def value : doc[field]) {
    if (params.isSmallest ? value < best : value > best) { best = value; }
  }
}
return best;`;

/** Returns `search_after` of a request for the hits after a place. A text has all digits of a `long`. */
function makeSearchAfter(
  { sort }: Pick<RecordSearch, "sort">,
  { order, step, value }: PlaceKey,
  context: CompileContext,
): readonly unknown[] {
  const age = String(order);
  if (sort === "bestmatch") return [LAST_STEP - step, age];
  if (typeof sort === "string" || valueSort(sort, context).length === 0) return [age];
  return [value ?? (sort.first === "smallest" ? "Infinity" : "-Infinity"), age];
}

/**
 * Fields that a search reads from each hit. `_id` is not among them: decompressing its blocks took half of a search.
 * The format gives `order` as a text, because a number of JSON, such as those in `sort`, loses its last digits.
 */
const HIT_FIELDS = {
  stored_fields: "_none_",
  docvalue_fields: ["id", "state", { field: "order", format: "#" }],
} as const;

/** A hit of a search for records, as OpenSearch returns it. */
export interface IndexedHit {
  readonly fields: {
    readonly id: readonly [string];
    readonly state: readonly [RecordPlace["state"]];
    readonly order: readonly [string];
  };
  readonly sort: readonly unknown[];
}

/** Reads the place of a hit. */
export function readPlace({ fields, sort }: IndexedHit, search: Pick<RecordSearch, "sort">): RecordPlace {
  const [[id], [state], [order]] = [fields.id, fields.state, fields.order];
  const place = { id, state, order: BigInt(order) };
  if (search.sort === "bestmatch") return { ...place, step: LAST_STEP - Number(sort[0]) };
  const value = typeof search.sort !== "string" && sort.length > 1 ? Number(sort[0]) : Number.NaN;
  return { ...place, step: 0, value: Number.isFinite(value) ? value : undefined };
}
