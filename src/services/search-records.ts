import type { Model } from "../core/catalog/types.js";
import { requireScope, requireUser } from "../core/may.js";
import type { RecordScope } from "../ports/search-index.js";
import type { Clause } from "../query/clause.js";
import { type FieldLookup, recordFields } from "../query/fields.js";
import { encodeCursor } from "./cursor.js";
import type { Deps } from "./deps.js";
import { describeQuery } from "./did-you-mean.js";
import { aggregationsOf, facetRequests, recordFacets } from "./facets.js";
import { findModel } from "./find-model.js";
import { highlightRecords } from "./highlight-hits.js";
import { badParameter } from "./issues.js";
import { readQuery } from "./read-query.js";
import { pageOf, recordPageSize, sortOf } from "./search-window.js";
import type { RecordSearchRequest, SearchServices } from "./services.js";

const SORTS = ["newest", "oldest", "bestmatch"] as const;

/** Searches the published records of one model or of all, or what the caller owns. */
export function makeSearchRecords(deps: Deps): SearchServices["searchRecords"] {
  const { index, catalog, clock } = deps;
  const fieldsOf = keepFields(deps);
  return async (actor, request) => {
    const user = request.own ? requireUser(actor) : undefined;
    const models = request.model === undefined ? [...catalog.models.values()] : [findModel(catalog, request.model)];
    if (user !== undefined) requireScope(user, "records:read");
    const names = models.map((model) => model.name);
    const scope: RecordScope =
      user === undefined ? { kind: "public", models: names } : { kind: "owner", owner: user.user, models: names };

    const fields = fieldsOf(request.model, models);
    const read = readQuery(request, fields, index.supports, clock);
    const standard = read.isEmpty ? "newest" : "bestmatch";
    const asked = sortOf(request.sort, SORTS, standard);
    const sort = read.isEmpty && asked === "bestmatch" ? standard : asked;
    const size = recordPageSize(request.window.size);
    const facets = recordFacets(catalog, request.model, request.own);
    const order = `records ${sort}`;
    const filters = facetRequests(facets, { ...request, facetSize: 0 });
    const withFlags = (clause: Clause): Clause => (request.own ? withStates(clause, request) : clause);
    const found = await index.searchRecords({
      clause: withFlags(read.clause),
      ...(read.plain === undefined ? {} : { plain: read.plain }),
      scope,
      facets: facetRequests(facets, request),
      sort,
      page: pageOf(request.window, size, order),
    });
    const aggregations = await aggregationsOf(index, facets, found.facets, request);
    const query = await describeQuery(deps, read, found.total, {
      fields,
      where: { in: "records" },
      hasFilters: Object.keys(request.filters).length > 0,
      findOne: async (clause, isFiltered) => {
        const asked = isFiltered ? { clause: withFlags(clause), facets: filters } : { clause, facets: [] };
        const one = await index.searchRecords({ ...asked, scope, sort: "newest", page: { offset: 0, limit: 1 } });
        return one.hits[0]?.json;
      },
    });
    return {
      hits: request.highlight ? await highlightRecords(deps, found.hits, read.clause) : found.hits,
      total: found.total,
      size,
      sortBy: sort,
      ...(aggregations === undefined ? {} : { aggregations }),
      query,
      warnings: read.warnings,
      ...(found.next === undefined ? {} : { next: encodeCursor(order, found.next) }),
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

/** `is_draft` and `is_published`: other ways to say the state in the user scopes. */
const STATE_FILTERS = { is_draft: ["draft", "published"], is_published: ["published", "draft"] } as const;

function withStates(clause: Clause, { filters }: RecordSearchRequest): Clause {
  const all: Clause[] = [clause];
  for (const [name, [ifTrue, ifFalse]] of Object.entries(STATE_FILTERS)) {
    if (!Object.hasOwn(filters, name)) continue;
    const words = filters[name]!.map((value) => {
      if (value !== "true" && value !== "false") {
        throw badParameter(name, `${name} is true or false.`, value, ["true", "false"]);
      }
      return value === "true" ? ifTrue : ifFalse;
    });
    all.push({ kind: "any", of: words.map((word) => stateIs(word)) });
  }
  return all.length === 1 ? clause : { kind: "all", of: all };
}

function stateIs(word: string): Clause {
  return { kind: "words", place: { in: "paths", paths: ["state"] }, words: [word] };
}
