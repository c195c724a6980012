import type { FastifyInstance } from "fastify";
import { ANONYMOUS } from "../../core/actor.js";
import { recordsPart, termsPart } from "../../core/feed/feed.js";
import { parseStoredTerm } from "../../core/terms/term-row.js";
import type { Services } from "../../services/api/services.js";
import type { VocabularyHit } from "../../services/api/vocabulary-services.js";
import { makeRecordFacets, type SearchedFacet } from "../../services/search/facets.js";
import { addPage, type PageOptions, partsOf } from "../answers/page-route.js";
import { type DepositingView, depositingPage, helpPage } from "../pages/help-pages.js";
import { startPage } from "../pages/start-page.js";
import { SearchAddress } from "../views/address-of-search.js";
import { facetViews } from "../views/facet-view.js";
import { firstFacets } from "../views/search-view.js";
import { findExamples } from "./examples.js";
import { drawHits } from "./structures.js";

const NEWEST_SHOWN = 5;
/** Enough for every range of a histogram. */
const BUCKETS = 50;

/** The start page, and the help. */
export function addStartPages(app: FastifyInstance, options: PageOptions): void {
  const { services, catalog } = options;
  const facets = makeRecordFacets(catalog)(undefined, false);
  // Of all facets the page draws one histogram.
  const counting = { names: facets.filter(isDrawn).map(({ name }) => name) };
  addPage(app, options, { url: "/", isSearch: true, make: makeStart });
  addPage(app, options, { url: "/help", isFixed: true, make: helpPage });
  addPage(app, options, {
    url: "/help/depositing",
    make: async () => depositingPage(await depositingView(options)),
  });

  async function makeStart() {
    const newest = { window: { page: 1, size: NEWEST_SHOWN }, beginnings: true };
    const asked = { ...newest, filters: {}, lang: "en", own: false, mayBeBehind: true };
    const [all, vocabularies, { examples, isUnsettled }, models] = await Promise.all([
      services.searchRecords(ANONYMOUS, { ...asked, facetSize: BUCKETS, counting }),
      services.listVocabularies(),
      findExamples(services, catalog),
      Promise.all(
        [...catalog.models.values()].map(async ({ name, title }) => {
          const found = await services.searchRecords(ANONYMOUS, { ...asked, model: name, facetSize: 0 });
          return { ...found, name, title, count: found.total };
        }),
      ),
    ]);
    const address = SearchAddress.of("search", new Map());
    const counted = facetViews(facets, all.aggregations ?? {}, { address, first: firstFacets(catalog, undefined) });
    const histogram = counted.find(({ bars }) =>
      bars?.some(({ count, from }) => count > 0 && typeof from === "number"),
    );
    const views = all.hits.map((hit) => options.hitView(hit));
    const page = startPage({
      ...{ models, total: all.total, examples, vocabularies },
      newest: await drawHits(services, catalog, views),
      ...(histogram === undefined ? {} : { histogram }),
    });
    return { ...page, ...partsOf([recordsPart(), termsPart()], all, { isUnsettled }, ...models) };
  }
}

/** Those that are counted only where they are named are none that everybody asks for. */
const isDrawn = ({ kind, onRequest }: SearchedFacet): boolean => kind === "histogram" && onRequest === undefined;

async function depositingView({ services, catalog }: PageOptions): Promise<DepositingView> {
  const vocabularies = await services.listVocabularies();
  const [model] = catalog.models.keys();
  return { model, example: await findExample(services, vocabularies) };
}

/** The first term of the largest vocabulary. */
async function findExample(
  services: Services,
  vocabularies: readonly VocabularyHit[],
): Promise<DepositingView["example"]> {
  const largest = vocabularies.toSorted((a, b) => b.count - a.count)[0];
  if (largest === undefined || largest.count === 0) return undefined;
  const window = { page: 1, size: 1 };
  const asked = { window, filters: {}, facetSize: 0, lang: "en", vocabulary: largest.id, mayBeBehind: true };
  const { hits } = await services.searchTerms(ANONYMOUS, asked);
  const [term] = hits;
  if (term === undefined) return undefined;
  const { title } = parseStoredTerm<{ title: Record<string, string> }>(term);
  return { vocabulary: largest.id, id: term.id, title: title.en ?? Object.values(title)[0] ?? term.id };
}
