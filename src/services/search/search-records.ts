import type { Actor } from "../../core/actor.js";
import type { Catalog, Model } from "../../core/catalog/types.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import { hasScope, requireEveryDraft, requireScope, requireUser, seesEveryDraft, type User } from "../../core/may.js";
import { parseRecordId } from "../../core/record.js";
import type { RecordScope, RecordSearch } from "../../ports/search-index.js";
import { type FieldLookup, recordFields } from "../../query/fields/field-lookup.js";
import { type Clause, orClauses } from "../../query/index-model/clause.js";
import { isStale } from "../../query/index-model/indexed-paths.js";
import { foldKeyword } from "../../query/text/analyse.js";
import type { RecordHit, RecordSearchRequest, SearchAnswer } from "../api/searches.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { emptyIfUnavailable, makeRequestIndex } from "../context/index-availability.js";
import { useCase } from "../context/use-case.js";
import { badParameter } from "../input/issues.js";
import {
  checkRecordPageSize,
  isFirstPage,
  makeCursors,
  nextCursor,
  requestedPage,
  requireSort,
} from "../input/search-window.js";
import { describeQuery } from "./did-you-mean.js";
import {
  facetRequests,
  listMatchingBuckets,
  makeRecordFacets,
  readKeyNames,
  type SearchedFacet,
  shownFacets,
  valueRequests,
} from "./facets.js";
import { makeCounter } from "./query-space.js";
import { readQuery } from "./read-query.js";
import { makeRecordSorts, type RecordSorts } from "./record-sorts.js";
import { followReplaced, warnUnknownValues } from "./selected-values.js";
import { MarkingTime, makeHitBeginnings, makeRecordHighlighter } from "./shown-hits.js";

const SORTS = ["newest", "oldest", "bestmatch"] as const;

/** Searches records: published ones, those of the caller, or those that cite a term. */
export const searchRecords = useCase({ thread: "search" }, (deps) => {
  const { store, catalog, clock, findNearTerms, searchTimeoutMs } = deps;
  const getFields = cacheFields(deps);
  const getFacets = makeRecordFacets(catalog);
  const getSorts = makeRecordSorts(catalog);
  const highlight = makeRecordHighlighter(deps);
  const cutLargeHits = makeHitBeginnings(deps.caches);
  const readCursors = makeCursors(store);
  return async (actor: Actor, parameters: RecordSearchRequest): Promise<SearchAnswer<RecordHit>> => {
    const { own, model, citing } = parameters;
    if (own) requireUser(actor);
    const index = makeRequestIndex(deps.index, parameters.mayBeBehind);
    const models = model === undefined ? [...catalog.models.values()] : [findModel(catalog, model)];
    const scope = scopeOf(actor, parameters, models);
    const facets = getFacets(model, own || citing !== undefined);
    const replaced = await followReplaced(store.terms, facets, parameters);
    const request = { ...parameters, filters: replaced.filters };
    const fields = getFields(model, models);
    const read = readQuery(request, fields, clock);
    const { sortBy, sort } = hitOrder(request, getSorts(model), read.isEmpty);
    const size = checkRecordPageSize(request.window.size);
    const order = `records ${sortBy}`;
    const cursors = await readCursors();
    const filters = facetRequests(facets, { ...request, facetSize: 0 });
    const time = new MarkingTime(searchTimeoutMs);
    const withConditions = (clause: Clause): Clause => addConditions(catalog, clause, request);
    const search = { clause: withConditions(read.clause), plain: read.plain, scope };
    const page = await index.searchRecords({
      ...search,
      facets: facetRequests(facets, request, await listMatchingBuckets(index, facets, request)),
      sort,
      page: requestedPage(request.window, size, order, cursors),
    });
    const names = await readKeyNames(index, search, facets, request, page.facets);
    const shown = await shownFacets(store.terms, facets, page.facets, request, names);
    const described = await describeQuery(deps, read, page.total, {
      fields,
      where: { in: "records" },
      isFirstPage: isFirstPage(request.window),
      hasFilters: Object.keys(request.filters).length > 0,
      findOne: async (clause, isFiltered) => {
        const search = isFiltered ? { clause: withConditions(clause), facets: filters } : { clause, facets: [] };
        const first = await index.searchRecords({ ...search, scope, sort: "newest", page: { offset: 0, limit: 1 } });
        return first.hits[0]?.json;
      },
      count: (clauses) => index.countRecords({ facets: filters, scope }, clauses.map(withConditions)),
      countsTogether: index.countsTogether,
    });
    const facetValues = async (facet: SearchedFacet, size: number): Promise<readonly string[]> => {
      const all = { clause: withConditions({ kind: "everything" }), page: { offset: 0, limit: 0 } };
      const counted = await index.searchRecords({ ...all, scope, facets: valueRequests(facet, size), sort: "newest" });
      return (counted.facets[0]?.buckets ?? []).map(({ key }) => key);
    };
    const unknown = await warnUnknownValues({ terms: store.terms, findNearTerms, facetValues }, facets, page, request);
    const marked = await highlight(page.hits, read.clause, request, time);
    return {
      hits: request.beginnings ? await cutLargeHits(marked.hits) : marked.hits,
      total: page.total,
      size,
      sortBy,
      ...shown,
      query: described.query,
      ...nextCursor(page.next, request.window, size, (key) => cursors.encode(order, key)),
      warnings: [...read.warnings, ...replaced.warnings, ...unknown.warnings, ...marked.warnings],
      ...index.answerFlags(described.isUnsettled || unknown.isUnsettled || marked.warnings.length > 0),
    };
  };
});

/** Maximum number of queries counted for one request. */
const COUNTS_MAX = 24;

/** Time for all counts of a request. The page of a search waits for them. */
const COUNTS_MICROS = 200_000;

/**
 * Counts the hits that a search has with each of these queries in place of its own. Counts are exact, or undefined if a
 * query was not counted in time or the index is far behind. `isUnsettled` as in `SearchAnswer`.
 */
export const countRecords = useCase({ thread: "search" }, (deps) => {
  const { store, catalog, index } = deps;
  const getFields = cacheFields(deps);
  const getFacets = makeRecordFacets(catalog);
  return async (
    actor: Actor,
    request: RecordSearchRequest,
    queries: readonly string[],
  ): Promise<{ readonly totals: readonly (number | undefined)[]; readonly isUnsettled: boolean }> => {
    const models = request.model === undefined ? [...catalog.models.values()] : [findModel(catalog, request.model)];
    const scope = scopeOf(actor, request, models);
    const facets = getFacets(request.model, request.own || request.citing !== undefined);
    const { filters } = await followReplaced(store.terms, facets, request);
    const page = { offset: 0, limit: 0 };
    const counted = { scope, facets: facetRequests(facets, { filters, facetSize: 0 }), sort: "newest", page } as const;
    const count = async (queryClause: Clause): Promise<number | undefined> => {
      const clause = addConditions(catalog, queryClause, { ...request, filters });
      return (await index.searchRecords({ ...counted, clause }).catch(emptyIfUnavailable)).total;
    };
    const counter = makeCounter(deps, { fields: getFields(request.model, models), count }, COUNTS_MICROS);
    const totals: (number | undefined)[] = [];
    for (const q of queries.slice(0, COUNTS_MAX)) totals.push(await counter.countText(q));
    return { totals, isUnsettled: counter.isUnsettled };
  };
});

/** Makes a function that returns the field names of queries; computed once for each model and once for all. */
function cacheFields({ catalog }: Deps): (name: string | undefined, models: readonly Model[]) => FieldLookup {
  const fieldsByModel = new Map<string | undefined, FieldLookup>();
  return (name, models) => {
    const fields = fieldsByModel.get(name) ?? recordFields(models, catalog.vocabularies.values());
    fieldsByModel.set(name, fields);
    return fields;
  };
}

/** Returns the order of hits. @throws PARAMETER_INVALID */
function hitOrder(
  { sort }: RecordSearchRequest,
  sorts: RecordSorts,
  isEmpty: boolean,
): { readonly sortBy: string; readonly sort: RecordSearch["sort"] } {
  const byValue = sorts.find(sort ?? "");
  if (byValue !== undefined) return { sortBy: byValue.name, sort: byValue.sort };
  const standard = isEmpty ? "newest" : "bestmatch";
  const requested = requireSort(sort, SORTS, standard);
  const order = isEmpty && requested === "bestmatch" ? standard : requested;
  return { sortBy: order, sort: order };
}

/** Returns records by id, in the requested order, within the scope of a search but including older versions. */
export const fetchRecords = useCase({ thread: "search" }, ({ index, catalog, caches }) => {
  const cutLargeHits = makeHitBeginnings(caches);
  return async (
    actor: Actor,
    {
      model,
      ...parameters
    }: Pick<RecordSearchRequest, "model" | "own" | "shared" | "everyone" | "stale" | "citing" | "beginnings">,
    ids: readonly string[],
  ): Promise<SearchAnswer<RecordHit>> => {
    if (parameters.own) requireUser(actor);
    const models = model === undefined ? [...catalog.models.values()] : [findModel(catalog, model)];
    const scope = scopeOf(actor, { ...parameters, allVersions: true, filters: {} }, models);
    if (ids.length > LIMITS.idsMax) {
      throw badParameter("ids", `At most ${LIMITS.idsMax} ids can be fetched at once, not ${ids.length}.`, ids.length);
    }
    const idByText = new Map([...new Set(ids)].map((id) => [id, parseRecordId(id.trim())]));
    const validIds = [...idByText.values()].filter((id) => id !== undefined);
    const { hits } = await index.searchRecords({
      clause: addConditions(catalog, orClauses(validIds.map(hasId)), { ...parameters, filters: {} }),
      scope,
      facets: [],
      sort: "newest",
      page: { offset: 0, limit: LIMITS.idsMax },
    });
    const hitById = new Map(hits.map((hit) => [hit.id, hit]));
    const orderedHits = [...new Set(validIds)].flatMap((id) => hitById.get(id) ?? []);
    const warnings = [...idByText].flatMap(([text, id]): Warning[] => {
      if (id !== undefined && hitById.has(id)) return [];
      return [{ code: "UNKNOWN_ID", message: `There is no record "${text}" here.`, parameter: "ids", value: text }];
    });
    const query = { parsed: "", fallback: false };
    const shown = parameters.beginnings ? await cutLargeHits(orderedHits) : orderedHits;
    return { hits: shown, total: orderedHits.length, size: LIMITS.idsMax, sortBy: "ids", query, warnings };
  };
});

/** Returns the clause that matches the record with an id. */
function hasId(id: string): Clause {
  const end = { value: foldKeyword(id), inclusive: true };
  return { kind: "range", paths: ["id"], type: "keyword", from: end, to: end };
}

type ScopeParameters = Pick<RecordSearchRequest, "own" | "shared" | "everyone" | "allVersions" | "stale" | "citing"> &
  Partial<Pick<RecordSearchRequest, "filters">>;

/**
 * Returns the scope of a search: whose records of these models it searches.
 * @throws TOKEN_MISSING, SCOPE_MISSING; ACCESS_DENIED for the drafts of all users
 */
function scopeOf(actor: Actor, request: ScopeParameters, searchedModels: readonly Model[]): RecordScope {
  const models = searchedModels.map(({ name }) => name);
  const allVersions = request.allVersions ? { allVersions: true } : {};
  if (!request.own) {
    const reader = request.citing === undefined ? undefined : userWithReadScope(actor);
    if (reader === undefined) return { kind: "public", models, ...allVersions };
    return { kind: "readable", models, ...(seesEveryDraft(reader) ? {} : { user: reader.user }), ...allVersions };
  }
  const user = requireUser(actor);
  requireScope(user, "records:read");
  const isPublished = booleanFilter(request, "is_published");
  const own = { models, isPublished };
  if (request.everyone) {
    requireEveryDraft(user);
    return { kind: "drafts", ...own };
  }
  if (request.shared) return { kind: "shared", user: user.user, ...own };
  return { kind: "owner", owner: user.user, ...own, ...allVersions };
}

/** Returns the user if the token may read records. All others see public records only. */
function userWithReadScope(actor: Actor): User | undefined {
  return actor.kind === "user" && hasScope(actor, "records:read") ? actor : undefined;
}

/** Adds to a clause the conditions of parameters other than the query, the facets and the scope. */
function addConditions(
  { vocabularies }: Pick<Catalog, "vocabularies">,
  clause: Clause,
  { own, filters = {}, stale, citing }: ScopeParameters,
): Clause {
  const isDraft = booleanFilter({ own, filters }, "is_draft");
  const conditions = [
    // `is_draft` is another parameter for the state.
    ...(isDraft === undefined ? [] : [hasState(isDraft ? "draft" : "published")]),
    ...(stale ? [isStale(vocabularies.keys())] : []),
    ...(citing === undefined ? [] : [cites(citing)]),
  ];
  return conditions.length === 0 ? clause : { kind: "all", of: [clause, ...conditions] };
}

const hasState = (state: string): Clause => ({
  kind: "words",
  place: { in: "paths", paths: ["state"] },
  words: [state],
});

const cites = ({ vocabulary, id }: NonNullable<ScopeParameters["citing"]>): Clause => ({
  kind: "cites",
  vocabularies: [vocabulary],
  id,
  within: false,
});

/** Returns the value of a Boolean filter of the user scopes; undefined if it is absent or has both values. */
function booleanFilter(
  { own, filters = {} }: Pick<ScopeParameters, "own" | "filters">,
  name: "is_draft" | "is_published",
): boolean | undefined {
  const values = own && Object.hasOwn(filters, name) ? new Set(filters[name]) : new Set<string>();
  for (const value of values) {
    if (value !== "true" && value !== "false") {
      throw badParameter(name, `${name} must be true or false.`, value, ["true", "false"]);
    }
  }
  return values.size === 1 ? values.has("true") : undefined;
}
