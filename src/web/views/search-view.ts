import type { Catalog } from "../../core/catalog/types.js";
import type { Unit, Units } from "../../core/catalog/units.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import type { SearchParameters } from "../../http/parameters/search-parameters.js";
import type { SearchAnswer, SearchRequest } from "../../services/api/search-services.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import type { SearchAddress } from "./address-of-search.js";
import type { SortView } from "./choice-views.js";
import { type Chip, chipsOf, type FacetView, facetViews } from "./facet-view.js";
import { type Pairs, address as pathWith } from "./paths.js";
import { pairsOfApi } from "./view-parameters.js";

/** What every search page shows, whatever is searched. */
export interface SearchView {
  readonly address: SearchAddress;
  readonly q: string;
  readonly total: number;
  /** How `q` was read; absent where it was read as it stands, or where there is none. */
  readonly parsed?: string;
  readonly isFallback: boolean;
  readonly suggestions: readonly Choice[];
  readonly warnings: readonly WarningView[];
  readonly chips: readonly Chip[];
  readonly facets: readonly FacetView[];
  readonly sorts: readonly SortView[];
  readonly views: readonly Choice[];
  /** How many hits a page has; none where all are on the smallest page. */
  readonly sizes: readonly Choice[];
  readonly pages: Pages;
  /** What is searched, for those who read its queries: parameters of `/api/query`. */
  readonly scope: Pairs;
  /** What the form of the query field carries beside `q`: filters and the look of the page. */
  readonly carried: Pairs;
  /** What the form of the order carries. */
  readonly carriedBySort: Pairs;
  readonly withoutFilters: string;
  readonly moreValues?: string;
  /** Where not all facets are counted: the page with all of them. */
  readonly allFacets?: string;
  readonly data: string;
}

/** A warning, and the searches that do without what it warns of. */
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

export interface Pages {
  /** Present if the page is beyond the end of the result: its number, and number and address of the last page. */
  readonly beyond?: { readonly page: number; readonly last: number; readonly lastPage: string };
  readonly previous?: string;
  readonly next?: string;
  /** Pages by number; `undefined` where some are left out. */
  readonly numbered: readonly (
    | { readonly number: number; readonly page: string; readonly isCurrent: boolean }
    | undefined
  )[];
}

interface Found<Request extends SearchRequest, Hit> {
  readonly scope: Pairs;
  readonly units: Units | undefined;
  /** What to search for instead, by the message of a warning. */
  readonly cures?: ReadonlyMap<string, readonly { readonly label: string; readonly q: string }[]>;
  readonly address: SearchAddress;
  readonly parameters: SearchParameters<Request>;
  readonly found: SearchAnswer<Hit>;
  readonly facets: readonly SearchedFacet[];
  /** Names of facets that come first. */
  readonly first: readonly string[];
  readonly sorts: readonly SortView[];
  /** What numbers are shown in, by the names of fields. */
  readonly shownIn?: ReadonlyMap<string, Unit>;
  /** Text that cannot be searched. It stays in the field. */
  readonly refused?: string | undefined;
  /** Number of the page that was asked for, if it exceeds the last page number. The first page is shown. */
  readonly beyond?: number | undefined;
  /** Warnings of the page itself. */
  readonly more?: readonly Warning[];
  /** Names of views; the first is the one without a parameter. */
  readonly views: readonly string[];
}

export function searchView<Request extends SearchRequest, Hit>(search: Found<Request, Hit>): SearchView {
  const { address, parameters, found, facets, first } = search;
  const { filters, facetSize, counting } = parameters.request;
  const q = search.refused ?? parameters.request.q ?? "";
  const aggregations = found.aggregations ?? {};
  const names = new Set(facets.map(({ name }) => name));
  const place = { address, units: search.units, shownIn: search.shownIn };
  const offered = facetViews(facets, aggregations, { ...place, first, counting });
  // Where nothing was found there is nothing to count.
  const shownFacets = found.total > 0 ? offered : offered.filter(({ later }) => later === undefined);
  const { parsed, fallback, suggestions = [] } = found.query;
  const isCut = Object.values(aggregations).some(({ other }) => other > 0) && facetSize < LIMITS.facetBucketsMax;
  const view = address.pairs.find(([name]) => name === "view")?.[1] ?? search.views[0]!;
  return {
    address,
    scope: search.scope,
    ...{ q, total: found.total, isFallback: fallback },
    ...(parsed === "" || parsed === q ? {} : { parsed }),
    suggestions: suggestions.map((name) => ({ name, page: String(address.with("q", name)), isCurrent: false })),
    warnings: [...parameters.warnings, ...found.warnings, ...(search.more ?? [])].map(({ code, message }) => ({
      ...{ code, message },
      cures: (search.cures?.get(message) ?? []).map(({ label, q: cured }) => ({
        label,
        page: String(address.with("q", cured)),
      })),
    })),
    chips: chipsOf(facets, aggregations, { ...place, filters, selected: found.selected }),
    facets: shownFacets,
    sorts: search.sorts,
    views: search.views.map((name, i) => ({
      name,
      page: String(address.with("view", i === 0 ? undefined : name)),
      isCurrent: name === view,
    })),
    sizes: found.total > LIMITS.pageSizeDefault ? sizesOf(address, found.size) : [],
    pages: pagesOf(search),
    carried: address.pairs.filter(([name]) => name !== "q" && name !== "sort"),
    carriedBySort: address.pairs.filter(([name]) => name !== "sort"),
    withoutFilters: String(address.without(names)),
    ...(counting?.names === undefined ? {} : { allFacets: String(address) }),
    ...(isCut ? { moreValues: String(address.with("facet_size", String(MORE_VALUES))) } : {}),
    data: dataOf(address),
  };
}

const MORE_VALUES = 200;

/** The same as data; how a page looks is no parameter of the API. */
const dataOf = ({ path, pairs }: SearchAddress): string => pathWith(`api/${path}`, pairsOfApi(pairs));

/** Hits of a page; the first is what the API takes without a parameter. As many as can be ticked at most. */
const SIZES = [LIMITS.pageSizeDefault, 20, 50];

const sizesOf = (address: SearchAddress, size: number): readonly Choice[] =>
  SIZES.map((each, i) => ({
    name: String(each),
    page: String(address.without(new Set(["s"])).with("size", i === 0 ? undefined : String(each))),
    isCurrent: each === size,
  }));

/** Numbers to the end of the window, then cursors. */
function pagesOf<Request extends SearchRequest, Hit>(search: Found<Request, Hit>): Pages {
  const { address, parameters, found } = search;
  const { page, cursor } = parameters.request.window;
  const after = found.next === undefined ? {} : { next: String(address.with("cursor", found.next)) };
  if (cursor !== undefined || page === undefined) return { ...after, numbered: [] };
  const to = (number: number): string => String(address.with("page", number === 1 ? undefined : String(number)));
  const inWindow = Math.floor(LIMITS.pageWindowMax / found.size);
  const last = Math.ceil(found.total / found.size);
  const lastNumbered = Math.min(last, inWindow);
  const isLast = page >= last;
  const next = isLast ? {} : page < inWindow ? { next: to(page + 1) } : after;
  const shown = [...new Set([1, page - 2, page - 1, page, page + 1, page + 2, lastNumbered])]
    .filter((number) => number >= 1 && number <= lastNumbered)
    .sort((a, b) => a - b);
  const numbered = shown.flatMap((number, i) => {
    const one = { number, page: to(number), isCurrent: number === page };
    return i > 0 && number > shown[i - 1]! + 1 ? [undefined, one] : [one];
  });
  const sent = search.beyond ?? page;
  const isBeyond = last > 0 && (search.beyond !== undefined || page > last);
  const beyond = isBeyond ? { beyond: { page: sent, last: lastNumbered, lastPage: to(lastNumbered) } } : {};
  const previous = page > 1 && last > 0 ? { previous: to(Math.min(page - 1, last)) } : {};
  return { ...beyond, ...previous, ...next, numbered: lastNumbered > 1 ? numbered : [] };
}

/** Names of the facets that come first: those of the model, or of all models, each once. */
export function firstFacets({ models }: Catalog, model: string | undefined): readonly string[] {
  const asked = [...models.values()].filter(({ name }) => model === undefined || name === model);
  return [...new Set(asked.flatMap(({ page }) => page.facets))];
}
