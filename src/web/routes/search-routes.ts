import type { FastifyInstance } from "fastify";
import { type Actor, ANONYMOUS } from "../../core/actor.js";
import type { Model } from "../../core/catalog/types.js";
import { BinderyError, fail } from "../../core/errors.js";
import { recordsPart, termsPart } from "../../core/feed/feed.js";
import { RECORD_ORDERS } from "../../http/parameters/list-parameters.js";
import { clip } from "../../http/parameters/parameter-reader.js";
import type { Query } from "../../http/parameters/query-string.js";
import { RECORD_TYPES } from "../../http/parameters/representation.js";
import { RESULT_TYPES } from "../../http/parameters/result-format.js";
import { readRecordSearch, type SearchParameters } from "../../http/parameters/search-parameters.js";
import type { RecordSearchRequest } from "../../services/api/search-services.js";
import type { Services } from "../../services/api/services.js";
import { makeRecordFacets, type RecordFacets } from "../../services/search/facets.js";
import { type FindRecordSorts, makeRecordSorts, type RecordSorts } from "../../services/search/record-sorts.js";
import { addPage, JSON_ONLY, type Move, type PageOptions, type PageRequest, partsOf } from "../answers/page-route.js";
import { type CitedTerm, searchPage } from "../pages/search-page.js";
import type { PageView } from "../parts/frame.js";
import { SearchAddress } from "../views/address-of-search.js";
import { sortViews } from "../views/choice-views.js";
import { allOf } from "../views/export-view.js";
import { type Look, readLook } from "../views/look.js";
import { citationsPath, searchPath } from "../views/paths.js";
import { askedFor, resultsView } from "../views/results-view.js";
import { firstFacets, searchView } from "../views/search-view.js";
import { selectionView } from "../views/selection-view.js";
import { type FindShownFields, makeShownFields, type ShownFields } from "../views/shown-fields.js";
import { parametersOfLinks, withoutPageParameters, withShortPage } from "../views/view-parameters.js";
import { WORDS } from "../words/page-en.js";
import { builderView, readBuilt } from "./builder.js";
import { type FoundExamples, findExamples } from "./examples.js";
import { searchLeniently } from "./lenient-search.js";
import { findMeant, readParts, withoutHits } from "./query-parts.js";
import { recordPageOf } from "./record-routes.js";
import { drawHits } from "./structures.js";
import { readTermOf } from "./term-of-page.js";

interface SearchOptions extends PageOptions {
  readonly facetsOf: RecordFacets;
  readonly sortsOf: FindRecordSorts;
  readonly shownOf: FindShownFields;
}

/** The searches of records; a record by its id alone has an address of the same form. */
export function addSearchPages(app: FastifyInstance, page: PageOptions): void {
  const { catalog } = page;
  const of = {
    facetsOf: makeRecordFacets(catalog),
    sortsOf: makeRecordSorts(catalog),
    shownOf: makeShownFields(catalog, page.fieldsOf),
  };
  const options = { ...page, ...of };
  const { models } = catalog;
  const shared = { isSearch: true, data: JSON_ONLY };
  addPage(app, page, { ...shared, url: "/search", make: (request) => makeSearch(options, request) });
  addPage(app, page, { ...shared, url: "/records", make: ({ search }) => ({ status: 301, to: `search${search}` }) });
  addPage(app, page, {
    isSearch: true,
    // With an id in place of the model it is that record, in any of its formats.
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

/** What is searched: the records of one model, or those that cite a term; all of them by default. */
interface PageScope {
  readonly model?: Model;
  readonly citing?: CitedTerm;
}

/** As in the API: what is no model's name, and may be an id. */
const RECORD_ID = /^[0-9a-z]{5}-[0-9a-z]{5}$/i;

async function makeSearch(
  options: SearchOptions,
  { actor: asking, query: sent, path }: PageRequest,
  { model, citing }: PageScope = {},
): Promise<PageView | Move> {
  const { services, catalog, facetsOf } = options;
  // To others than the public, citations have their drafts as well: a page is the same for everybody.
  const actor = citing === undefined ? asking : ANONYMOUS;
  const models = model === undefined ? [...catalog.models.values()] : [model];
  const built = sent.has("build") ? await readBuilt(options, sent, models).catch(withoutBuilder) : undefined;
  if (built?.isShown === true)
    return { status: 302, to: String(SearchAddress.of(path, built.query).with("build", undefined)) };
  const facets = facetsOf(model?.name, citing !== undefined);
  const sorts = options.sortsOf(model?.name);
  const shown = options.shownOf(model?.name);
  const scope = { model: model?.name, own: false, facets, sorts, ...(citing && { citing }) };
  const search = async (each: Query) => {
    const parameters = withShortPage(readRecordSearch(withoutPageParameters(each), catalog, scope));
    return { parameters, ...(await findRecords(services, actor, { parameters, look: readLook(each, shown), shown })) };
  };
  const searched = await searchLeniently(built?.query ?? sent, search);
  const { query, warnings, refused, beyond } = searched;
  const { parameters, look, answer } = searched.found;
  const read = parametersOfLinks(query, parameters.carried);
  // Filters as the links of the API spell them: ranges in units as numbers in the unit of the facet.
  const here = SearchAddress.of(path, new Map([...read, ...Object.entries(parameters.request.filters)]));
  const reading = await readParts(services, here, { actor, parameters, found: answer, model: model?.name });
  const found = reading.unitsNeeded.length > 0 || refused !== undefined ? withoutHits(answer) : answer;
  const meant = await findMeant(options, actor, { found, request: parameters.request });
  const view = searchView({
    cures: reading.cures,
    units: models[0]?.units,
    scope: model === undefined ? [] : [["model", model.name]],
    ...{ address: here, parameters, found, facets, first: firstFacets(catalog, model?.name) },
    ...{ sorts: sortViews(shown, sorts, found.sortBy), views: ["list", "table"] },
    ...{ shownIn: look.units, more: [...warnings, ...look.warnings], refused, beyond },
  });
  const isPlain = citing === undefined && here.pairs.length === 0 && parameters.request.window.page === 1;
  const { examples, ...settled } = isPlain ? await findExamples(services, catalog, model?.name) : NO_EXAMPLES;
  const results = resultsView(found, {
    ...{ hitView: options.hitView, look, shown, address: here, facets, sorts },
  });
  const page = searchPage({
    ...view,
    ...results,
    hits: await drawHits(services, catalog, results.hits),
    ...(model === undefined ? {} : { model }),
    ...(citing === undefined ? { scopes: scopesOf(options, here, model) } : { citing, scopes: [] }),
    examples,
    selection: selectionView(
      query,
      here,
      found.hits.map(({ id }) => id),
    ),
    ...(built === undefined ? {} : { builder: builderView(built, view) }),
    all: allOf(path, here.pairs),
    parts: reading.parts,
    unitsNeeded: reading.unitsNeeded,
    ...(meant.view === undefined ? {} : { meant: meant.view }),
    build: String(here.with("build", "1")),
    withOlder: String(here.with("allversions", "true")),
  });
  // As of the same search in the API. Nobody asks for the same rows of a builder again.
  const { parts, ...told } = partsOf([recordsPart(model?.name), termsPart()], found, settled, reading, meant);
  return { ...page, ...told, ...(built === undefined && parts !== undefined ? { parts } : {}) };
}

/** Ignores QUERY_TOO_LARGE: the search reports the same error. */
function withoutBuilder(error: unknown): undefined {
  if (!(error instanceof BinderyError) || error.code !== "QUERY_TOO_LARGE") throw error;
}

interface Searching {
  readonly parameters: SearchParameters<RecordSearchRequest>;
  readonly look: Look;
  readonly shown: ShownFields;
}

/** Finds the records for a page. */
async function findRecords(services: Services, actor: Actor, { parameters, look, shown }: Searching) {
  const { request, ids } = parameters;
  const answer = await (ids === undefined
    ? services.searchRecords(actor, { ...request, ...askedFor(look, shown, request.q), mayBeBehind: true })
    : services.fetchRecords(actor, { ...request, beginnings: true }, ids));
  return { look, answer };
}

const NO_EXAMPLES: FoundExamples = { examples: [], isUnsettled: false };

const canSort = (order: string, sorts: RecordSorts): boolean =>
  RECORD_ORDERS.includes(order) || sorts.find(order) !== undefined;

/** The same search of all models and of each, with the filters and the order that are there, too. */
function scopesOf({ catalog, facetsOf, sortsOf }: SearchOptions, here: SearchAddress, model: Model | undefined) {
  const names = facetsOf(model?.name, false).map(({ name }) => name);
  return [undefined, ...catalog.models.values()].map((each) => {
    const own = new Set(facetsOf(each?.name, false).map(({ name }) => name));
    const lost = new Set(names.filter((name) => !own.has(name)));
    const order = here.pairs.find(([name]) => name === "sort")?.[1];
    if (order !== undefined && !canSort(order, sortsOf(each?.name))) lost.add("sort");
    return {
      title: each?.name.toUpperCase() ?? WORDS.search.allModels,
      page: String(here.without(lost).at(searchPath(each?.name))),
      isCurrent: each?.name === model?.name,
    };
  });
}
