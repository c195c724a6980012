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

/** The same of parameters in their order. */
export const pairsOfApi = (pairs: Pairs): Pairs => pairs.filter(([name]) => !isOfPages(name));
