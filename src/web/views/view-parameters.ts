import { LIMITS } from "../../core/limits.js";
import type { Query } from "../../http/parameters/query-string.js";
import { RECORD_RESULT } from "../../http/parameters/result-format.js";
import type { SearchParameters } from "../../http/parameters/search-parameters.js";
import type { Pairs } from "./paths.js";

/**
 * Parameters that say how a page looks. The API has none of them: they are taken away before an address is read as a
 * search, and where it leads to the data.
 */
const NAMES: ReadonlySet<string> = new Set(["view", "at", "sel", "build", "cols", "rows", "matched"]);

/** Names of the fields of the builder begin so. */
export const BUILDER_PREFIX = "b.";

/** `unit.kd=nM`: what the numbers of a field are shown in. */
export const UNIT_PREFIX = "unit.";

const isOfPages = (name: string): boolean =>
  NAMES.has(name) || name.startsWith(BUILDER_PREFIX) || name.startsWith(UNIT_PREFIX);

/** Returns the parameters of a search with no more hits on its page than people read, and a warning if it has fewer. */
export function withShortPage<P extends SearchParameters>(parameters: P): P {
  const { request, warnings } = parameters;
  const { size } = request.window;
  const max = LIMITS.pageHitsMax;
  if (size <= max) return parameters;
  const message = `A page shows at most ${max} hits, not ${size}; the export has all.`;
  return {
    ...parameters,
    request: { ...request, window: { ...request.window, size: max } },
    warnings: [...warnings, { code: "PAGE_SIZE_REDUCED", message, parameter: "size", value: size }],
  };
}

/** Returns the parameters of a query that the API reads. */
export const withoutPageParameters = (query: Query): Query => new Map([...query].filter(([name]) => !isOfPages(name)));

/**
 * Returns the parameters of a query that links of a page carry. Links leave out parameters without effect, because a
 * page has hundreds of links, and those of downloads (`format`, `excel`), because each download has its own.
 * @param carried parameters that links of the API carry besides page, size, sort and cursor
 */
export function parametersOfLinks(query: Query, carried: Pairs): Query {
  const ofApi = new Set(carried.map(([name]) => name).filter((name) => !OF_DOWNLOADS.has(name)));
  return new Map([...query].filter(([name]) => ofApi.has(name) || SPELLED_OUT.has(name) || isOfPages(name)));
}

/** Parameters of a whole result. */
const OF_DOWNLOADS: ReadonlySet<string> = new Set(Object.keys(RECORD_RESULT));

/** Links of the API always have them, except a `q` that cannot be searched: it stays in the links of the page. */
const SPELLED_OUT: ReadonlySet<string> = new Set(["size", "s", "sort", "q"]);

/** Returns the parameters that the API reads, in their order. */
export const pairsOfApi = (pairs: Pairs): Pairs => pairs.filter(([name]) => !isOfPages(name));
