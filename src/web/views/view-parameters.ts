import type { Query } from "../../http/parameters/query-string.js";
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

/** Links of the API always have them. */
const SPELLED_OUT: ReadonlySet<string> = new Set(["size", "s", "sort"]);

/** The same of parameters in their order. */
export const pairsOfApi = (pairs: Pairs): Pairs => pairs.filter(([name]) => !isOfPages(name));
