import type { FastifyInstance } from "fastify";
import { ANONYMOUS } from "../../core/actor.js";
import { countsNumbers } from "../../core/catalog/facet-kinds/facet-kinds.js";
import type { Catalog, Model } from "../../core/catalog/types.js";
import { cacheByName } from "../../core/collections.js";
import { fail } from "../../core/errors.js";
import { recordsPart, termsPart } from "../../core/feed/feed.js";
import { clip } from "../../http/parameters/parameter-reader.js";
import { makeRecordFacets, type SearchedFacet } from "../../services/search/facets.js";
import type { Services } from "../../services/use-cases.js";
import { addPage, JSON_ONLY, type PageOptions, publicParts } from "../answers/page-route.js";
import { depositPage, leastRecord } from "../pages/deposit-page.js";
import { CARD, HELP_DOCS, type HelpTopic, helpPage, topicPage } from "../pages/help-pages.js";
import { modelPage, modelsPage } from "../pages/model-pages.js";
import type { Example } from "../pages/search-page.js";
import { startPage } from "../pages/start-page.js";
import { parseMarkdown } from "../parts/markdown.js";
import { facetViews } from "../views/facet-view.js";
import { noteUnknownChoice } from "../views/look.js";
import { address, SearchAddress, searchPath } from "../views/page-addresses.js";
import { facetOrderOf } from "../views/search-view.js";
import { addPictures } from "./structure-addresses.js";

const NEWEST_SHOWN = 5;
/** Maximum number of values of a facet. A histogram has fewer ranges. */
const BUCKETS = 50;

/** Adds the start page. */
export function addStartPages(app: FastifyInstance, options: PageOptions): void {
  const { services, catalog } = options;
  const facets = makeRecordFacets(catalog)(undefined, false);
  // The page shows one histogram, so only facets of this kind are counted.
  const counting = { names: facets.filter(isStartHistogram).map(({ name }) => name) };
  addPage(app, options, { url: "/", isSearch: true, make: makeStart });

  async function makeStart() {
    const newest = { window: { page: 1, size: NEWEST_SHOWN }, beginnings: true };
    const request = { ...newest, filters: {}, lang: "en", own: false, mayBeBehind: true };
    const [all, vocabularies, { examples, isUnsettled }, models] = await Promise.all([
      services.searchRecords(ANONYMOUS, { ...request, facetSize: BUCKETS, counting }),
      services.listVocabularies(),
      findExamples(services, catalog),
      Promise.all(
        [...catalog.models.values()].map(async ({ name, title }) => {
          const answer = await services.searchRecords(ANONYMOUS, { ...request, model: name, facetSize: 0 });
          return { ...answer, name, title, count: answer.total };
        }),
      ),
    ]);
    const address = SearchAddress.of("search", new Map());
    const countedFacets = facetViews(facets, all.aggregations ?? {}, {
      address,
      units: [...catalog.models.values()][0]?.units,
      ...facetOrderOf(catalog, undefined),
    });
    const histogram = countedFacets.find(({ bars }) =>
      bars?.some(({ count, from }) => count > 0 && typeof from === "number"),
    );
    const views = all.hits.map((hit) => options.hitView(hit));
    const page = startPage({
      models,
      total: all.total,
      examples,
      vocabularies,
      newest: await addPictures(services, catalog, views),
      histogram,
    });
    return { ...page, ...publicParts([recordsPart(), termsPart()], all, { isUnsettled }, ...models) };
  }
}

/** Returns whether the start page may show a facet: a histogram that is always counted. */
const isStartHistogram = ({ kind, onRequest }: SearchedFacet): boolean =>
  countsNumbers(kind) && onRequest === undefined;

/** Adds the help and the page about depositing. @param readDoc reads a page of the documentation by its name */
export function addHelpPages(app: FastifyInstance, options: PageOptions, readDoc: (page: string) => string): void {
  addPage(app, options, { url: "/help", isFixed: true, make: () => helpPage(parseMarkdown(readDoc(CARD))) });
  for (const [topic, page] of HELP_DOCS) {
    addPage(app, options, {
      url: `/help/${topic}`,
      isFixed: true,
      make: () => topicPage(topic as HelpTopic, parseMarkdown(readDoc(page))),
    });
  }
  const models = [...options.catalog.models.values()];
  const getLeast = cacheByName((model: Model) =>
    model.example === undefined ? undefined : leastRecord(model.example, options.fieldsOf(model)),
  );
  addPage(app, options, {
    url: "/deposit",
    make: ({ query }) => {
      const [requested] = query.get("model") ?? [];
      const model = models.find(({ name }) => name === requested) ?? models[0];
      return {
        ...depositPage({ models, model, least: model === undefined ? undefined : getLeast(model) }),
        parameters: ["model"],
        warnings: noteUnknownChoice(
          query,
          "model",
          models.map(({ name }) => name),
        ),
      };
    },
  });
}

/** Adds the pages that document the models. */
export function addModelPages(app: FastifyInstance, options: PageOptions): void {
  const { models } = options.catalog;
  addPage(app, options, {
    url: "/models",
    isFixed: true,
    data: JSON_ONLY,
    make: () => modelsPage([...models.values()]),
  });
  addPage(app, options, {
    url: "/models/:model",
    data: JSON_ONLY,
    make: ({ params: { model: name = "" } }) => {
      const model = models.get(name);
      if (model === undefined) throw fail("MODEL_NOT_FOUND", { model: clip(name), known: [...models.keys()] });
      return modelPage(model, options.fieldsOf(model));
    },
  });
}

/** Maximum number of example searches on a page. */
const EXAMPLES_MAX = 6;

/** Example searches with hits. */
export interface ExampleSearches {
  readonly examples: readonly Example[];
  /** Whether the choice may change without a publication, because it depends on the clock or on an index update. */
  readonly isUnsettled: boolean;
}

/** Returns the first examples that have hits. @param model name of the searched model; undefined for all models */
export async function findExamples(services: Services, { models }: Catalog, model?: string): Promise<ExampleSearches> {
  const searchedModels = [...models.values()].filter(({ name }) => model === undefined || name === model);
  const byQuery = new Map(searchedModels.flatMap(({ page }) => page.examples).map((example) => [example.q, example]));
  const candidates = [...byQuery.values()];
  const window = { page: 1, size: 1 };
  const searches = await Promise.all(
    candidates.map(async ({ label, q }) => {
      const request = { q, window, filters: {}, facetSize: 0, lang: "en", own: false, model };
      const { total, behind } = await services.searchRecords(ANONYMOUS, { ...request, mayBeBehind: true });
      return {
        total,
        isUnsettled: /\bnow\b/.test(q) || behind !== undefined,
        example: { label, page: address(searchPath(model), [["q", q]]) },
      };
    }),
  );
  const withHits = searches.filter(({ total }) => total > 0).slice(0, EXAMPLES_MAX);
  // Candidates after the last example do not influence the choice.
  const decisive =
    withHits.length < EXAMPLES_MAX ? searches : searches.slice(0, searches.indexOf(withHits.at(-1)!) + 1);
  return { examples: withHits.map(({ example }) => example), isUnsettled: decisive.some((each) => each.isUnsettled) };
}
