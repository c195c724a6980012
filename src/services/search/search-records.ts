import type { Model } from "../../core/catalog/types.js";
import { requireUser } from "../../core/may.js";
import type { RecordSearch } from "../../ports/search-index.js";
import { type FieldLookup, recordFields } from "../../query/fields/field-meanings.js";
import type { Clause } from "../../query/index-model/clause.js";
import type { RecordSearchRequest, SearchServices } from "../api/search-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { noHitsIfUnavailable } from "../context/no-hits.js";
import { makeCursors } from "../input/cursor.js";
import { isFirstPage, nextCursor, pageOf, recordPageSize, sortOf } from "../input/search-window.js";
import { askIndex } from "./asked-index.js";
import { describeQuery } from "./did-you-mean.js";
import { textListing } from "./facet-text.js";
import { allValues, facetRequests, makeRecordFacets, type SearchedFacet, shownFacets } from "./facets.js";
import { MarkingTime, makeRecordHighlighter } from "./highlight-hits.js";
import { makeHitBeginnings } from "./hit-beginnings.js";
import { makeCounter } from "./query-counter.js";
import { readQuery } from "./read-query.js";
import { narrowed, scopeOf } from "./record-scope.js";
import { makeRecordSorts, type RecordSorts } from "./record-sorts.js";
import { followReplaced } from "./replaced-values.js";
import { warnUnknownValues } from "./unknown-values.js";

const SORTS = ["newest", "oldest", "bestmatch"] as const;

/** Searches the published records of one model or of all, what the caller owns, or what cites a term. */
export function makeSearchRecords(deps: Deps): SearchServices["searchRecords"] {
  const { store, catalog, clock, findNearTerms, searchTimeoutMs } = deps;
  const fieldsOf = keepFields(deps);
  const facetsOf = makeRecordFacets(catalog);
  const sortsOf = makeRecordSorts(catalog);
  const mark = makeRecordHighlighter(deps);
  const beginningsOf = makeHitBeginnings();
  const readCursors = makeCursors(store);
  return async (actor, sent) => {
    if (sent.own) requireUser(actor);
    const index = askIndex(deps.index, sent.mayBeBehind);
    const models = sent.model === undefined ? [...catalog.models.values()] : [findModel(catalog, sent.model)];
    const names = models.map((model) => model.name);
    const scope = scopeOf(actor, sent, names);
    const facets = facetsOf(sent.model, sent.own || sent.citing !== undefined);
    const replaced = await followReplaced(store.terms, facets, sent);
    const request = { ...sent, filters: replaced.filters };
    const fields = fieldsOf(request.model, models);
    const read = readQuery(request, fields, clock);
    const { sortBy, sort } = orderOf(request, sortsOf(request.model), read.isEmpty);
    const size = recordPageSize(request.window.size);
    const order = `records ${sortBy}`;
    const cursors = await readCursors();
    const filters = facetRequests(facets, { ...request, facetSize: 0 });
    const time = new MarkingTime(searchTimeoutMs);
    const within = (clause: Clause): Clause => narrowed(catalog, clause, request);
    const found = await index.searchRecords({
      clause: within(read.clause),
      ...(read.plain === undefined ? {} : { plain: read.plain }),
      scope,
      facets: facetRequests(facets, request, await textListing(index, facets, request)),
      sort,
      page: pageOf(request.window, size, order, cursors),
    });
    const shown = await shownFacets(store.terms, facets, found.facets, request);
    const described = await describeQuery(deps, read, found.total, {
      fields,
      where: { in: "records" },
      isFirstPage: isFirstPage(request.window),
      hasFilters: Object.keys(request.filters).length > 0,
      findOne: async (clause, isFiltered) => {
        const asked = isFiltered ? { clause: within(clause), facets: filters } : { clause, facets: [] };
        const one = await index.searchRecords({ ...asked, scope, sort: "newest", page: { offset: 0, limit: 1 } });
        return one.hits[0]?.json;
      },
      count: async (clause) => {
        const asked = { clause: within(clause), facets: filters };
        return (await index.searchRecords({ ...asked, scope, sort: "newest", page: { offset: 0, limit: 0 } })).total;
      },
    });
    const valuesOf = async (facet: SearchedFacet, size: number): Promise<readonly string[]> => {
      const all = { clause: within({ kind: "everything" }), page: { offset: 0, limit: 0 } };
      const counted = await index.searchRecords({ ...all, scope, facets: allValues(facet, size), sort: "newest" });
      return (counted.facets[0]?.buckets ?? []).map(({ key }) => key);
    };
    const unknown = await warnUnknownValues({ terms: store.terms, findNearTerms, valuesOf }, facets, found, request);
    const marked = await mark(found.hits, read.clause, request, time);
    return {
      hits: request.beginnings ? await beginningsOf(marked.hits) : marked.hits,
      total: found.total,
      size,
      sortBy,
      ...shown,
      query: described.query,
      ...nextCursor(found.next, request.window, size, (key) => cursors.encode(order, key)),
      warnings: [...read.warnings, ...replaced.warnings, ...unknown.warnings, ...marked.warnings],
      ...index.settled(described.isUnsettled || unknown.isUnsettled || marked.warnings.length > 0),
    };
  };
}

/** Maximum number of queries counted for one request. */
const COUNTS_MAX = 24;

/** Time for all counts of a request. The page of a search waits for them. */
const COUNTS_MICROS = 200_000;

/** Counts what a search finds with other queries. Counts are exact, or absent if the index is far behind. */
export function makeCountRecords(deps: Deps): SearchServices["countRecords"] {
  const { store, catalog, index } = deps;
  const fieldsOf = keepFields(deps);
  const facetsOf = makeRecordFacets(catalog);
  return async (actor, request, queries) => {
    const models = request.model === undefined ? [...catalog.models.values()] : [findModel(catalog, request.model)];
    const names = models.map((model) => model.name);
    const scope = scopeOf(actor, request, names);
    const facets = facetsOf(request.model, request.own || request.citing !== undefined);
    const { filters } = await followReplaced(store.terms, facets, request);
    const page = { offset: 0, limit: 0 };
    const counted = { scope, facets: facetRequests(facets, { filters, facetSize: 0 }), sort: "newest", page } as const;
    const count = async (found: Clause): Promise<number | undefined> => {
      const clause = narrowed(catalog, found, { ...request, filters });
      return (await index.searchRecords({ ...counted, clause }).catch(noHitsIfUnavailable)).total;
    };
    const counter = makeCounter(deps, { fields: fieldsOf(request.model, models), count }, COUNTS_MICROS);
    const totals: (number | undefined)[] = [];
    for (const q of queries.slice(0, COUNTS_MAX)) totals.push(await counter.countText(q));
    return { totals, isUnsettled: counter.isUnsettled };
  };
}

/** The names that queries may use, made once for each model and once for all. */
function keepFields({ catalog }: Deps): (name: string | undefined, models: readonly Model[]) => FieldLookup {
  const made = new Map<string | undefined, FieldLookup>();
  return (name, models) => {
    const known = made.get(name) ?? recordFields(models, catalog.vocabularies.values());
    made.set(name, known);
    return known;
  };
}

/** In which order hits come. @throws PARAMETER_INVALID */
function orderOf(
  { sort }: RecordSearchRequest,
  sorts: RecordSorts,
  isEmpty: boolean,
): { readonly sortBy: string; readonly sort: RecordSearch["sort"] } {
  const byValue = sorts.find(sort ?? "");
  if (byValue !== undefined) return { sortBy: byValue.name, sort: byValue.sort };
  const standard = isEmpty ? "newest" : "bestmatch";
  const asked = sortOf(sort, SORTS, standard);
  const order = isEmpty && asked === "bestmatch" ? standard : asked;
  return { sortBy: order, sort: order };
}
