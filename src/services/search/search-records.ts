import type { Model } from "../../core/catalog/types.js";
import { requireScope, requireUser, type User } from "../../core/may.js";
import type { RecordScope, RecordSearch } from "../../ports/search-index.js";
import { type FieldLookup, recordFields } from "../../query/fields/field-meanings.js";
import type { Clause } from "../../query/index-model/clause.js";
import type { RecordSearchRequest, SearchServices } from "../api/search-services.js";
import type { Deps } from "../context/deps.js";
import { findModel } from "../context/find-model.js";
import { encodeCursor } from "../input/cursor.js";
import { badParameter } from "../input/issues.js";
import { pageOf, recordPageSize, sortOf } from "../input/search-window.js";
import { describeQuery } from "./did-you-mean.js";
import { textListing } from "./facet-text.js";
import { aggregationsOf, allValues, facetRequests, makeRecordFacets, type SearchedFacet } from "./facets.js";
import { makeRecordHighlighter } from "./highlight-hits.js";
import { readQuery } from "./read-query.js";
import { makeRecordSorts, type RecordSorts } from "./record-sorts.js";
import { followReplaced } from "./replaced-values.js";
import { warnUnknownValues } from "./unknown-values.js";

const SORTS = ["newest", "oldest", "bestmatch"] as const;

/** Searches the published records of one model or of all, or what the caller owns. */
export function makeSearchRecords(deps: Deps): SearchServices["searchRecords"] {
  const { store, index, catalog, clock } = deps;
  const fieldsOf = keepFields(deps);
  const facetsOf = makeRecordFacets(catalog);
  const sortsOf = makeRecordSorts(catalog);
  const mark = makeRecordHighlighter(deps);
  return async (actor, sent) => {
    const user = sent.own ? requireUser(actor) : undefined;
    const models = sent.model === undefined ? [...catalog.models.values()] : [findModel(catalog, sent.model)];
    if (user !== undefined) requireScope(user, "records:read");
    const facets = facetsOf(sent.model, sent.own);
    const replaced = await followReplaced(store.terms, facets, sent);
    const request = { ...sent, filters: replaced.filters };
    const names = models.map((model) => model.name);
    const scope = scopeOf(request, names, user);
    const fields = fieldsOf(request.model, models);
    const read = readQuery(request, fields, index.supports, clock);
    const { sortBy, sort } = orderOf(request, sortsOf(request.model), read.isEmpty);
    const size = recordPageSize(request.window.size);
    const order = `records ${sortBy}`;
    const filters = facetRequests(facets, { ...request, facetSize: 0 });
    const withFlags = (clause: Clause): Clause => withState(clause, request);
    const found = await index.searchRecords({
      clause: withFlags(read.clause),
      ...(read.plain === undefined ? {} : { plain: read.plain }),
      scope,
      facets: facetRequests(facets, request, await textListing(index, facets, request)),
      sort,
      page: pageOf(request.window, size, order),
    });
    const aggregations = await aggregationsOf(store.terms, facets, found.facets, request);
    const described = await describeQuery(deps, read, found.total, {
      fields,
      where: { in: "records" },
      hasFilters: Object.keys(request.filters).length > 0,
      findOne: async (clause, isFiltered) => {
        const asked = isFiltered ? { clause: withFlags(clause), facets: filters } : { clause, facets: [] };
        const one = await index.searchRecords({ ...asked, scope, sort: "newest", page: { offset: 0, limit: 1 } });
        return one.hits[0]?.json;
      },
      count: async (clause) => {
        const asked = { clause: withFlags(clause), facets: filters };
        const none = await index.searchRecords({ ...asked, scope, sort: "newest", page: { offset: 0, limit: 0 } });
        return none.total;
      },
    });
    const valuesOf = async (facet: SearchedFacet, size: number): Promise<readonly string[]> => {
      const asked = {
        clause: withFlags({ kind: "everything" }),
        facets: allValues(facet, size),
        sort: "newest",
      } as const;
      const counted = await index.searchRecords({ ...asked, scope, page: { offset: 0, limit: 0 } });
      return (counted.facets[0]?.buckets ?? []).map(({ key }) => key);
    };
    const unknown = await warnUnknownValues({ terms: store.terms, valuesOf }, facets, found, request);
    return {
      hits: await mark(found.hits, read.clause, request),
      total: found.total,
      size,
      sortBy,
      ...(aggregations === undefined ? {} : { aggregations }),
      query: described.query,
      warnings: [...read.warnings, ...replaced.warnings, ...unknown.warnings],
      ...(found.next === undefined ? {} : { next: encodeCursor(order, found.next) }),
      ...(described.isUnsettled || unknown.isUnsettled ? { isUnsettled: true } : {}),
    };
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

/** Whose records of these models are searched. @param user undefined: everybody's published ones */
export function scopeOf(
  request: Pick<RecordSearchRequest, "own" | "shared" | "allVersions" | "filters">,
  models: readonly string[],
  user: User | undefined,
): RecordScope {
  const allVersions = request.allVersions ? { allVersions: true } : {};
  if (user === undefined) return { kind: "public", models, ...allVersions };
  const isPublished = flagOf(request, "is_published");
  const own = { models, ...(isPublished === undefined ? {} : { isPublished }) };
  if (request.shared) return { kind: "shared", user: user.user, ...own };
  return { kind: "owner", owner: user.user, ...own, ...allVersions };
}

/** `is_draft`: another way to say the state. */
function withState(clause: Clause, request: RecordSearchRequest): Clause {
  const isDraft = flagOf(request, "is_draft");
  if (isDraft === undefined) return clause;
  const words = [isDraft ? "draft" : "published"];
  return { kind: "all", of: [clause, { kind: "words", place: { in: "paths", paths: ["state"] }, words }] };
}

/** A filter of the user scopes that is true or false; both at once filter nothing. */
function flagOf(
  { own, filters }: Pick<RecordSearchRequest, "own" | "filters">,
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
