import type { FastifyInstance } from "fastify";
import { type Actor, ANONYMOUS } from "../../core/actor.js";
import type { Model } from "../../core/catalog/types.js";
import { BinderyError, fail } from "../../core/errors.js";
import { recordsPart, termsPart } from "../../core/feed/feed.js";
import { RECORD_ORDERS } from "../../http/parameters/list-parameters.js";
import { clip } from "../../http/parameters/parameter-reader.js";
import { RECORD_TYPES } from "../../http/parameters/representation.js";
import { RESULT_TYPES } from "../../http/parameters/result-format.js";
import { readRecordSearch, type SearchParameters } from "../../http/parameters/search-parameters.js";
import type { Query } from "../../http/parameters/url-encoding.js";
import type { RecordSearchRequest } from "../../services/api/searches.js";
import { makeRecordFacets, type RecordFacets } from "../../services/search/facets.js";
import { type FindRecordSorts, makeRecordSorts, type RecordSorts } from "../../services/search/record-sorts.js";
import type { Services } from "../../services/use-cases.js";
import {
  addPage,
  JSON_ONLY,
  type PageOptions,
  type PageRedirect,
  type PageRequest,
  publicParts,
} from "../answers/page-route.js";
import { type CitationSubject, searchPage } from "../pages/search-page.js";
import type { BuilderView } from "../parts/builder.js";
import type { PageView } from "../parts/frame.js";
import { type BuilderChoices, builderChoices, firstRows, isShowPressed, readBuilder } from "../views/builder-view.js";
import { sortViews } from "../views/choice-views.js";
import { wholeResultAddress } from "../views/export-view.js";
import { excludingAddress } from "../views/facet-view.js";
import { type FindShownFields, type Look, makeShownFields, readLook, type ShownFields } from "../views/look.js";
import {
  BUILDER_PREFIX,
  citationsPath,
  PAGE_PARAMETER_NAMES,
  parametersOfLinks,
  SearchAddress,
  searchPath,
  TREE_PARAMETER,
  withoutEndlessQuery,
  withoutPageParameters,
  withShortPage,
} from "../views/page-addresses.js";
import { type BuiltQuery, readQueryRows, writeQuery } from "../views/query-rows.js";
import { requestForLook, resultsView, selectionView } from "../views/results-view.js";
import { facetOrderOf, type SearchView, searchView } from "../views/search-view.js";
import { WORDS } from "../words/page-en.js";
import { explainSearch } from "./explain-search.js";
import { searchLeniently } from "./lenient-search.js";
import { recordPageOf } from "./record-routes.js";
import { type ExampleSearches, findExamples } from "./start-routes.js";
import { addPictures } from "./structure-addresses.js";
import { readTermOf } from "./term-page-route.js";

interface SearchOptions extends PageOptions {
  readonly facetsOf: RecordFacets;
  readonly sortsOf: FindRecordSorts;
  readonly shownOf: FindShownFields;
}

/** Adds the searches of records. A path with the id of a record in place of a model shows that record. */
export function addSearchPages(app: FastifyInstance, page: PageOptions): void {
  const { catalog } = page;
  const options = {
    ...page,
    facetsOf: makeRecordFacets(catalog),
    sortsOf: makeRecordSorts(catalog),
    shownOf: makeShownFields(catalog, page.fieldsOf),
  };
  const { models } = catalog;
  const shared = { isSearch: true, data: JSON_ONLY };
  addPage(app, page, { ...shared, url: "/search", make: (request) => makeSearch(options, request) });
  addPage(app, page, { ...shared, url: "/records", make: ({ search }) => ({ status: 301, to: `search${search}` }) });
  addPage(app, page, {
    isSearch: true,
    // The path may be that of a record, which has more formats than a search.
    data: RECORD_TYPES,
    url: "/records/:model",
    dataAt: async ({ actor, params: { model: name = "" }, path }) => {
      if (models.has(name) || !RECORD_ID.test(name)) return `api/${path}`;
      const { model, id } = await page.services.readRecord(actor, { id: name });
      return `api/records/${model}/${id}`;
    },
    make: (request) => {
      const { model: name = "" } = request.params;
      const model = models.get(name);
      if (model !== undefined) return makeSearch(options, request, { model });
      if (RECORD_ID.test(name)) return recordPageOf(page, { ...request, params: { id: name } });
      throw fail("MODEL_NOT_FOUND", { model: clip(name), known: [...models.keys()] });
    },
  });
  addPage(app, page, {
    isSearch: true,
    data: RESULT_TYPES.records,
    url: "/vocabularies/:vocabulary/:id/citations",
    make: async (request) => {
      const cited = await readTermOf(page, request);
      if ("to" in cited)
        return { status: 301, to: `${citationsPath(cited.vocabulary.name, cited.to)}${request.search}` };
      return makeSearch(options, request, { citing: cited.term });
    },
  });
}

/** Scope of a search page: records of one model, or records that cite a term. Default: all records. */
interface PageScope {
  readonly model?: Model | undefined;
  readonly citing?: CitationSubject | undefined;
}

/** Pattern of record ids, as in the API. */
const RECORD_ID = /^[0-9a-z]{5}-[0-9a-z]{5}$/i;

/** Makes a search page, or leads to the search without a value of a facet. */
async function makeSearch(options: SearchOptions, request: PageRequest, scope: PageScope = {}) {
  const facets = options.facetsOf(scope.model?.name, scope.citing !== undefined);
  const excluding = excludingAddress(facets, request.path, request.query);
  return excluding === undefined
    ? makeResults(options, request, scope)
    : ({ status: 302, to: String(excluding) } as const);
}

async function makeResults(
  options: SearchOptions,
  { actor: caller, query: requestQuery, path }: PageRequest,
  { model, citing }: PageScope,
): Promise<PageView | PageRedirect> {
  const { services, catalog, hitView } = options;
  // Signed-in callers would also see citations in their drafts, but a page must be the same for everybody.
  const actor = citing === undefined ? caller : ANONYMOUS;
  const models = model === undefined ? [...catalog.models.values()] : [model];
  const builder = requestQuery.has("build")
    ? await readBuilderState(options, requestQuery, models).catch(withoutBuilder)
    : undefined;
  if (builder?.isShown === true)
    return { status: 302, to: String(SearchAddress.of(path, builder.query).with("build", undefined)) };
  const search = await runSearch(options, actor, builder?.query ?? requestQuery, { model, citing });
  const { facets, sorts, shown, query, warnings, refused, beyond } = search;
  const { parameters, look } = search.result;
  // Filters are in the form of API links: a range with a unit becomes numbers in the unit of the facet.
  const linked = [...parametersOfLinks(query, parameters.carried), ...Object.entries(parameters.request.filters)];
  const here = withoutEndlessQuery(SearchAddress.of(path, new Map(linked)), refused);
  const answeredSearch = { actor, ...search.result, model: model?.name, units: models[0]?.units };
  const { answer, explanation, suggested } = await explainSearch(options, here, answeredSearch, refused);
  const view = searchView({
    reading: explanation.reading,
    cures: explanation.cures,
    units: models[0]?.units,
    scope: model === undefined ? [] : [["model", model.name]],
    address: here,
    parameters,
    answer,
    facets,
    facetOrder: facetOrderOf(catalog, model?.name),
    showsTrees: isTree(query),
    sorts: sortViews(shown, sorts, answer.sortBy),
    views: ["list", "table"],
    shownIn: look.units,
    shown,
    vocabularies: catalog.vocabularies,
    more: [...warnings, ...look.warnings],
    refused,
    beyond,
  });
  const isPlain = citing === undefined && here.pairs.length === 0 && parameters.request.window.page === 1;
  const results = resultsView(answer, { hitView, catalog, look, shown, address: here, facets, sorts });
  const [{ examples, ...exampleSearches }, hits] = await Promise.all([
    isPlain ? findExamples(services, catalog, model?.name) : NO_EXAMPLES,
    addPictures(services, catalog, results.hits),
  ]);
  const page = searchPage({
    ...view,
    ...results,
    hits,
    model,
    citing,
    scopes: citing === undefined ? scopeChoices(options, here, model) : [],
    examples,
    selection: selectionView(query, here, idsOf(answer.hits)),
    builder: builder && builderView(builder, view),
    all: wholeResultAddress(path, here.pairs),
    parts: explanation.parts,
    unitsNeeded: explanation.unitsNeeded,
    suggested: suggested.view,
    build: String(here.with("build", "1")),
    withOlder: String(here.with("allversions", "true")),
  });
  const sources = [recordsPart(model?.name), termsPart()];
  const { parts, ...freshness } = publicParts(sources, answer, exampleSearches, explanation, suggested);
  // Pages of the builder are not cached, because the same rows are hardly requested twice.
  return { ...page, ...freshness, ...(builder === undefined && parts !== undefined ? { parts } : {}) };
}

/** Returns whether a page shows the values of its facet as a tree. */
const isTree = (query: Query): boolean => query.get(TREE_PARAMETER)?.[0] === "1";

/** Ignores QUERY_TOO_LARGE: the search reports the same error. */
function withoutBuilder(error: unknown): undefined {
  if (!(error instanceof BinderyError) || error.code !== "QUERY_TOO_LARGE") throw error;
}

/** Searches with the parameters of a page. Also returns the facets, orders and fields of its scope. */
async function runSearch(options: SearchOptions, actor: Actor, query: Query, { model, citing }: PageScope) {
  const { services, catalog } = options;
  const facets = options.facetsOf(model?.name, citing !== undefined);
  const sorts = options.sortsOf(model?.name);
  const shown = options.shownOf(model?.name);
  const scope = { model: model?.name, own: false, facets, sorts, citing, otherNames: PAGE_PARAMETER_NAMES };
  const search = await searchLeniently(query, async (each) => {
    const read = withShortPage(readRecordSearch(withoutPageParameters(each), catalog, scope));
    const counting = { ...read.request.counting, citedOnly: !isTree(each) };
    const parameters = { ...read, request: { ...read.request, counting } };
    return {
      parameters,
      ...(await findRecords(services, actor, {
        parameters,
        look: readLook(each, shown, options.shownOf(undefined)),
        shown,
      })),
    };
  });
  return { ...search, facets, sorts, shown };
}

interface RecordSearch {
  readonly parameters: SearchParameters<RecordSearchRequest>;
  readonly look: Look;
  readonly shown: ShownFields;
}

/** Finds the records of a page: by their ids if the query names ids, or else by a search. */
async function findRecords(services: Services, actor: Actor, { parameters, look, shown }: RecordSearch) {
  const { request, ids } = parameters;
  const answer = await (ids === undefined
    ? services.searchRecords(actor, { ...request, ...requestForLook(look, shown, request.q), mayBeBehind: true })
    : services.fetchRecords(actor, { ...request, beginnings: true }, ids));
  return { look, answer };
}

const idsOf = (hits: readonly { readonly id: string }[]): readonly string[] => hits.map(({ id }) => id);

const NO_EXAMPLES: ExampleSearches = { examples: [], isUnsettled: false };

const canSort = (order: string, sorts: RecordSorts): boolean =>
  RECORD_ORDERS.includes(order) || sorts.find(order) !== undefined;

/** Returns links to the same search of all models and of each model, without the filters and orders that it lacks. */
function scopeChoices({ catalog, facetsOf, sortsOf }: SearchOptions, here: SearchAddress, model: Model | undefined) {
  const names = facetsOf(model?.name, false).map(({ name }) => name);
  return [undefined, ...catalog.models.values()].map((each) => {
    const scopeFacets = new Set(facetsOf(each?.name, false).map(({ name }) => name));
    const missing = new Set(names.filter((name) => !scopeFacets.has(name)));
    const order = here.pairs.find(([name]) => name === "sort")?.[1];
    if (order !== undefined && !canSort(order, sortsOf(each?.name))) missing.add("sort");
    return {
      title: each?.shortTitle ?? WORDS.search.allModels,
      page: String(here.without(missing).at(searchPath(each?.name))),
      isCurrent: each?.name === model?.name,
    };
  });
}

/** State of the query builder. */
interface BuilderState {
  readonly rows: BuiltQuery;
  readonly choices: BuilderChoices;
  /** Parameters of the search, with the query that the rows make. */
  readonly query: Query;
  /** Query of the search from which the builder was opened. */
  readonly original: string;
  /** Whether the reader left the builder to see the hits. */
  readonly isShown: boolean;
}

/** Reads the rows from the form of the builder, or else from the query. Without a query, returns an empty row. */
async function readBuilderState(
  { services, fieldsOf }: PageOptions,
  parameters: Query,
  models: readonly Model[],
): Promise<BuilderState> {
  const choices = builderChoices(models, fieldsOf);
  const searchParameters = [...parameters].filter(([name]) => !name.startsWith(BUILDER_PREFIX));
  const q = parameters.get("q")?.[0] ?? "";
  const rows = readBuilder(parameters, choices);
  if (rows !== undefined) {
    const query = new Map([...searchParameters, ["q", [writeQuery(rows)]] as const]);
    return { rows, choices, query, original: q, isShown: isShowPressed(parameters) };
  }
  const state = { choices, query: new Map(searchParameters), original: q, isShown: false };
  if (q.trim() === "") return { ...state, rows: firstRows(choices) };
  const scope = models.length === 1 ? { model: models[0]!.name } : {};
  const { answer } = await services.readQueryText({ q, totals: false, lang: "en", ...scope });
  return { ...state, rows: readQueryRows(q, answer.parts) };
}

/** Parameters that the form of the builder sets itself. */
const BUILDER_PARAMETERS: ReadonlySet<string> = new Set(["q", "build"]);

/** Makes the view of the builder. */
function builderView({ rows, choices, original }: BuilderState, { q, total, address }: SearchView): BuilderView {
  const search = address.with("build", undefined);
  return {
    built: rows,
    choices,
    q,
    total,
    path: address.path,
    carried: [...address.without(BUILDER_PARAMETERS).pairs, ["q", original]],
    page: String(search),
    close: String(search.with("q", original)),
  };
}
