import { LIMITS } from "../../core/limits.js";
import type { Query } from "../../http/parameters/query-string.js";
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

/** What of a query the API reads. */
export const withoutPageParameters = (query: Query): Query => new Map([...query].filter(([name]) => !isOfPages(name)));

/**
 * What of a query somebody reads. Links carry nothing else: a page has hundreds of them.
 * @param carried what links of the API carry beside page, size, sort and cursor
 */
export function readBySomebody(query: Query, carried: Pairs): Query {
  const ofApi = new Set(carried.map(([name]) => name));
  return new Map([...query].filter(([name]) => ofApi.has(name) || SPELLED_OUT.has(name) || isOfPages(name)));
}

/** Links of the API always have them, except a `q` that cannot be searched: it stays in the links of the page. */
const SPELLED_OUT: ReadonlySet<string> = new Set(["size", "s", "sort", "q"]);

/** The same of parameters in their order. */
export const pairsOfApi = (pairs: Pairs): Pairs => pairs.filter(([name]) => !isOfPages(name));
