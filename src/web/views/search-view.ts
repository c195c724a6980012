import type { Catalog } from "../../core/catalog/types.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import type { Unit, Units } from "../../core/units/units.js";
import type { SearchParameters } from "../../http/parameters/search-parameters.js";
import type { SearchAnswer, SearchRequest } from "../../services/api/searches.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import type { Vocabularies } from "../notation/names.js";
import type { SortView } from "./choice-views.js";
import { type Chip, chipsOf, type FacetOrder, type FacetView, facetViews } from "./facet-view.js";
import type { ShownFields } from "./look.js";
import { type Pairs, pairsOfApi, address as pathWith, type SearchAddress } from "./page-addresses.js";
import type { ReadingPart } from "./query-reading.js";

/** State and links that the search pages of records and of terms have in common. */
export interface SearchView {
  readonly address: SearchAddress;
  readonly q: string;
  readonly total: number;
  /** The query as it was read. Empty if it is only words. */
  readonly reading: readonly ReadingPart[];
  readonly isFallback: boolean;
  readonly suggestions: readonly Choice[];
  readonly warnings: readonly WarningView[];
  readonly chips: readonly Chip[];
  readonly facets: readonly FacetView[];
  readonly sorts: readonly SortView[];
  readonly views: readonly Choice[];
  /** Choices for the number of hits per page. Empty if the smallest page shows all hits. */
  readonly sizes: readonly Choice[];
  readonly pages: Pages;
  /** Parameters of `/api/query` that select what is searched. */
  readonly scope: Pairs;
  /** Hidden fields of the query form: filters and the look of the page. */
  readonly carried: Pairs;
  /** Hidden fields of the form with the sort order. */
  readonly carriedBySort: Pairs;
  readonly withoutFilters: string;
  readonly moreValues: string | undefined;
  /** The page with all facets. Absent if this page has all of them. */
  readonly allFacets: string | undefined;
  readonly data: string;
}

/** A warning, and corrected searches without its cause. */
interface WarningView {
  readonly code: string;
  readonly message: string;
  readonly cures: readonly { readonly label: string; readonly page: string }[];
}

/** One of several pages. */
export interface Choice {
  readonly name: string;
  readonly page: string;
  readonly isCurrent: boolean;
}

/** Links to the pages of a result. */
export interface Pages {
  /** Present if the page is beyond the end of the result: its number, and number and address of the last page. */
  readonly beyond?: { readonly page: number; readonly last: number; readonly lastPage: string };
  readonly previous?: string;
  readonly next?: string;
  /** Pages by number. `undefined` stands for a gap. */
  readonly numbered: readonly (
    | { readonly number: number; readonly page: string; readonly isCurrent: boolean }
    | undefined
  )[];
}

interface SearchParts<Request extends SearchRequest, Hit> {
  readonly scope: Pairs;
  readonly units: Units | undefined;
  readonly reading: readonly ReadingPart[];
  /** Corrected queries, by the message of a warning. */
  readonly cures?: ReadonlyMap<string, readonly { readonly label: string; readonly q: string }[]>;
  readonly address: SearchAddress;
  readonly parameters: SearchParameters<Request>;
  readonly answer: SearchAnswer<Hit>;
  readonly facets: readonly SearchedFacet[];
  /** Which facets come first. */
  readonly facetOrder: FacetOrder;
  /** Whether values with parents are shown as a tree. Default: yes. */
  readonly showsTrees?: boolean;
  readonly sorts: readonly SortView[];
  /** Units of shown numbers, by field name. */
  readonly shownIn?: ReadonlyMap<string, Unit>;
  /** Vocabularies of the catalog. Absent: the names of terms stand upright. */
  readonly vocabularies?: Vocabularies;
  /** Symbols of quantities, and the words of the models for deposited texts. Absent: none. */
  readonly shown?: Pick<ShownFields, "symbolOf" | "wordsAt">;
  /** Text that cannot be searched. The query field shows it. */
  readonly refused?: string | undefined;
  /** Requested page number if it exceeds the maximum. The first page is shown instead. */
  readonly beyond?: number | undefined;
  /** Warnings of the page itself. */
  readonly more?: readonly Warning[];
  /** Names of views. The first one is the default. */
  readonly views: readonly string[];
}

/** Makes the common part of a search page. */
export function searchView<Request extends SearchRequest, Hit>(search: SearchParts<Request, Hit>): SearchView {
  const { address, parameters, answer, facets, facetOrder, showsTrees } = search;
  const { filters, facetSize, counting } = parameters.request;
  const q = search.refused ?? parameters.request.q ?? "";
  const aggregations = answer.aggregations ?? {};
  const names = new Set(facets.map(({ name }) => name));
  const { shown, vocabularies } = search;
  const place = {
    address,
    units: search.units,
    shownIn: search.shownIn,
    vocabularies,
    ...(shown === undefined ? {} : { symbolOf: shown.symbolOf, wordsAt: shown.wordsAt }),
  };
  const views = facetViews(facets, aggregations, { ...place, ...facetOrder, counting, showsTrees });
  // Without hits, no facet has values to load later.
  const shownFacets = answer.total > 0 ? views : views.filter(({ later }) => later === undefined);
  const { fallback, suggestions = [] } = answer.query;
  const isCut = Object.values(aggregations).some(({ other }) => other > 0) && facetSize < LIMITS.facetBucketsMax;
  const view = address.pairs.find(([name]) => name === "view")?.[1] ?? search.views[0]!;
  return {
    address,
    scope: search.scope,
    q,
    total: answer.total,
    isFallback: fallback,
    reading: search.reading,
    suggestions: suggestions.map((name) => ({ name, page: String(address.with("q", name)), isCurrent: false })),
    warnings: [...parameters.warnings, ...answer.warnings, ...(search.more ?? [])].map(({ code, message }) => ({
      code,
      message,
      cures: (search.cures?.get(message) ?? []).map(({ label, q: correctedQuery }) => ({
        label,
        page: String(address.with("q", correctedQuery)),
      })),
    })),
    chips: chipsOf(facets, aggregations, { ...place, filters, selected: answer.selected }),
    facets: shownFacets,
    sorts: search.sorts,
    views: search.views.map((name, i) => ({
      name,
      page: String(address.with("view", i === 0 ? undefined : name)),
      isCurrent: name === view,
    })),
    sizes: answer.total > LIMITS.pageSizeDefault ? sizeChoices(address, answer.size) : [],
    pages: pagesOf(search),
    carried: address.pairs.filter(([name]) => name !== "q" && name !== "sort"),
    carriedBySort: address.pairs.filter(([name]) => name !== "sort"),
    withoutFilters: String(address.without(names)),
    allFacets: counting?.names === undefined ? undefined : String(address),
    moreValues: isCut ? String(address.with("facet_size", String(MORE_VALUES))) : undefined,
    data: apiAddress(address),
  };
}

const MORE_VALUES = 200;

/** Returns the address of the same search in the API. */
const apiAddress = ({ path, pairs }: SearchAddress): string => pathWith(`api/${path}`, pairsOfApi(pairs));

/** Numbers of hits per page. The first is the API's default, the last is the maximum number of selected records. */
const SIZES = [LIMITS.pageSizeDefault, 20, 50];

const sizeChoices = (address: SearchAddress, size: number): readonly Choice[] =>
  SIZES.map((each, i) => ({
    name: String(each),
    page: String(address.without(new Set(["s"])).with("size", i === 0 ? undefined : String(each))),
    isCurrent: each === size,
  }));

/** Returns the links to other pages: by number within the window, by cursor behind it. */
function pagesOf<Request extends SearchRequest, Hit>(search: SearchParts<Request, Hit>): Pages {
  const { address, parameters, answer } = search;
  const { page, cursor } = parameters.request.window;
  const after = answer.next === undefined ? {} : { next: String(address.with("cursor", answer.next)) };
  if (cursor !== undefined || page === undefined) return { ...after, numbered: [] };
  const to = (number: number): string => String(address.with("page", number === 1 ? undefined : String(number)));
  const inWindow = Math.floor(LIMITS.pageWindowMax / answer.size);
  const last = Math.ceil(answer.total / answer.size);
  const lastNumbered = Math.min(last, inWindow);
  const isLast = page >= last;
  const next = isLast ? {} : page < inWindow ? { next: to(page + 1) } : after;
  const shown = [...new Set([1, page - 2, page - 1, page, page + 1, page + 2, lastNumbered])]
    .filter((number) => number >= 1 && number <= lastNumbered)
    .sort((a, b) => a - b);
  const numbered = shown.flatMap((number, i) => {
    const choice = { number, page: to(number), isCurrent: number === page };
    return i > 0 && number > shown[i - 1]! + 1 ? [undefined, choice] : [choice];
  });
  const requestedPage = search.beyond ?? page;
  const isBeyond = last > 0 && (search.beyond !== undefined || page > last);
  const beyond = isBeyond ? { beyond: { page: requestedPage, last: lastNumbered, lastPage: to(lastNumbered) } } : {};
  const previous = page > 1 && last > 0 ? { previous: to(Math.min(page - 1, last)) } : {};
  return { ...beyond, ...previous, ...next, numbered: lastNumbered > 1 ? numbered : [] };
}

/** Returns which facets come first: those of the model, or of all models. The very first one is open, too. */
export function facetOrderOf({ models }: Catalog, model: string | undefined): FacetOrder {
  const pages = [...models.values()]
    .filter(({ name }) => model === undefined || name === model)
    .map(({ page }) => page);
  const order = [...new Set(pages.flatMap(({ filters }) => filters))];
  const first = new Set([...order.slice(0, 1), ...pages.flatMap(({ facets }) => facets)]);
  return order.length === 0 ? { first: [] } : { first: [...first], order };
}
