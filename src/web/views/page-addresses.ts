import { LIMITS } from "../../core/limits.js";
import { RECORD_RESULT } from "../../http/parameters/result-format.js";
import type { SearchParameters } from "../../http/parameters/search-parameters.js";
import { encodeSegment, encodeText, type Query } from "../../http/parameters/url-encoding.js";

/** Parameters of an address, in their order. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/** Returns an address relative to the root: a path with its parameters. */
export function address(path: string, pairs: Pairs = []): string {
  const query = pairs.map(([name, value]) => `${encodeText(name)}=${encodeText(value).replaceAll("%20", "+")}`);
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** Returns the path of the comparison of some records, the older one first. */
export const comparisonPath = (ids: readonly string[]): string =>
  address(
    "compare",
    ids.map((id) => ["ids", id] as const),
  );

/** Returns the path of a record's page without its model. Citations link to it. */
export const recordPath = (id: string): string => `records/${encodeSegment(id)}`;

/** Returns the path of the page of a term. */
export const termPath = (vocabulary: string, id: string): string =>
  `vocabularies/${encodeSegment(vocabulary)}/${encodeSegment(id)}`;

/** Returns the path of the page of a molecule. */
export const moleculePath = (id: string): string => `molecules/${encodeSegment(id)}`;

/** Returns the path of the search for records that cite a term. */
export const citationsPath = (vocabulary: string, id: string): string => `${termPath(vocabulary, id)}/citations`;

/** Returns the path of a record search. */
export const searchPath = (model: string | undefined): string => (model === undefined ? "search" : `records/${model}`);

/** Returns the address of a vocabulary's tree at a term. */
export const treePath = (vocabulary: string, id: string): string =>
  address(`vocabularies/${vocabulary}`, [
    ["view", "tree"],
    ["at", id],
  ]);

/** Parameters for the look of a page. They are removed before the API's parsers read an address, and from API links. */
const PAGE_PARAMETERS: ReadonlySet<string> = new Set([
  "view",
  "at",
  "sel",
  "build",
  "cols",
  "rows",
  "matched",
  "numbers",
  "tree",
  "not",
]);

/** Names of the parameters that only pages have, for hints on misspelled ones. */
export const PAGE_PARAMETER_NAMES: readonly string[] = [...PAGE_PARAMETERS];

/** Parameter that shows the values of a facet as a tree: `facets=organism&tree=1`. */
export const TREE_PARAMETER = "tree";
/**
 * Parameter that excludes a value of a facet: `not=organism:taxid:562`. The page redirects to the query that excludes
 * it.
 */
export const NOT_PARAMETER = "not";

/** Parameter that shows all numbers as deposited: `numbers=deposited`. */
export const NUMBERS_PARAMETER = "numbers";
/** Value of the parameter `numbers`. */
export const AS_DEPOSITED = "deposited";

/** Prefix of the form fields of the query builder. */
export const BUILDER_PREFIX = "b.";

/** Prefix of parameters for units: `unit.kd=nM` shows the numbers of the field `kd` in nM. */
export const UNIT_PREFIX = "unit.";

const isPageParameter = (name: string): boolean =>
  PAGE_PARAMETERS.has(name) || name.startsWith(BUILDER_PREFIX) || name.startsWith(UNIT_PREFIX);

/** Limits the number of hits per page to `LIMITS.pageHitsMax`. Adds a warning if it reduces the number. */
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
export const withoutPageParameters = (query: Query): Query =>
  new Map([...query].filter(([name]) => !isPageParameter(name)));

/** Names of the parameters for the look of a list of terms. */
export const TERM_PAGE_PARAMETER_NAMES: readonly string[] = ["view", "at", TREE_PARAMETER, NOT_PARAMETER];

/** Returns the parameters of a query without those that a list of terms has for its look. */
export const withoutTermPageParameters = (query: Query): Query =>
  new Map([...query].filter(([name]) => !TERM_PAGE_PARAMETER_NAMES.includes(name)));

/**
 * Returns the parameters of a query that links of a page carry. Links leave out parameters without effect, because a
 * page has hundreds of links, and those of downloads (`format`, `excel`), because each download has its own.
 * @param carried parameters that links of the API carry besides page, size, sort and cursor
 * @param isOfPage returns whether a parameter is for the look of the page
 */
export function parametersOfLinks(query: Query, carried: Pairs, isOfPage = isPageParameter): Query {
  const ofApi = new Set(carried.map(([name]) => name).filter((name) => !OF_DOWNLOADS.has(name)));
  const isCarried = (name: string): boolean => ofApi.has(name) || ALWAYS_CARRIED.has(name) || isOfPage(name);
  const isValid = (name: string, [value = ""]: readonly string[]): boolean => WORDS_OF[name]?.has(value) ?? true;
  const pairs = [...query].filter(([name, values]) => isCarried(name) && isValid(name, values));
  const isEndless = ([name, values]: readonly [string, readonly string[]]): boolean =>
    isOfColumns(name) && name.length + values.join().length > COLUMNS_LENGTH_MAX;
  const ofColumns = pairs.filter(([name]) => isOfColumns(name));
  if (ofColumns.length <= COLUMNS_MAX && !ofColumns.some(isEndless)) return new Map(pairs);
  return new Map(pairs.filter(([name]) => !isOfColumns(name)));
}

const isOfColumns = (name: string): boolean => name === "cols" || name.startsWith(UNIT_PREFIX);

/** Limits of columns and their units in links. A table has some dozen columns; an address has room for thousands. */
const COLUMNS_LENGTH_MAX = 4_000;
const COLUMNS_MAX = 200;

/**
 * Returns the address of a page without a query that is longer than any query can be. It stays in the query field, but
 * a page has dozens of links.
 */
export const withoutEndlessQuery = (address: SearchAddress, refused: string | undefined): SearchAddress =>
  refused !== undefined && [...refused].length > LIMITS.queryCodePointsMax ? address.with("q", undefined) : address;

/** Values of parameters that have few. Links leave out any other value. */
const WORDS_OF: Readonly<Record<string, ReadonlySet<string>>> = {
  view: new Set(["list", "table", "tree"]),
  [NUMBERS_PARAMETER]: new Set([AS_DEPOSITED]),
};

/** Parameters of downloads of a whole result. */
const OF_DOWNLOADS: ReadonlySet<string> = new Set(Object.keys(RECORD_RESULT));

/** Links always carry these parameters. A `q` that cannot be searched stays in the links of the page, too. */
const ALWAYS_CARRIED: ReadonlySet<string> = new Set(["size", "s", "sort", "q"]);

/** Returns the parameters that the API reads, in their order. */
export const pairsOfApi = (pairs: Pairs): Pairs => pairs.filter(([name]) => !isPageParameter(name));

/**
 * Address of a search page. It contains the whole state of the page, so links to other states are changed addresses.
 * It has no position in the result: a changed search begins at its first page, with all facets.
 */
export class SearchAddress {
  private constructor(
    readonly path: string,
    readonly pairs: Pairs,
  ) {}

  /** Returns the address of a request without empty parameters and without positions in lists and facets. */
  static of(path: string, query: Query): SearchAddress {
    const parameters = [...query].filter(([name]) => !POSITIONS.has(name));
    const pairs = parameters.flatMap(([name, values]) =>
      values.filter((value) => value !== "").map((v) => [name, v] as const),
    );
    return new SearchAddress(path, pairs);
  }

  toString(): string {
    return address(this.path, this.pairs);
  }

  /** Replaces all values of a parameter with one value. Undefined or an empty value removes the parameter. */
  with(name: string, value: string | undefined): SearchAddress {
    const at = this.pairs.findIndex(([each]) => each === name);
    const rest = this.pairs.filter(([each]) => each !== name);
    if (value === undefined || value === "") return new SearchAddress(this.path, rest);
    const index = at === -1 ? rest.length : this.pairs.slice(0, at).filter(([each]) => each !== name).length;
    return new SearchAddress(this.path, rest.toSpliced(index, 0, [name, value]));
  }

  /** Adds a value of a facet. */
  plus(name: string, value: string): SearchAddress {
    return new SearchAddress(this.path, [...this.pairs, [name, value]]);
  }

  /** Removes a value of a facet. */
  minus(name: string, value: string): SearchAddress {
    return new SearchAddress(
      this.path,
      this.pairs.filter(([each, v]) => each !== name || v !== value),
    );
  }

  /** Removes all parameters with these names. */
  without(names: ReadonlySet<string>): SearchAddress {
    return new SearchAddress(
      this.path,
      this.pairs.filter(([name]) => !names.has(name)),
    );
  }

  /** Returns the same search at another path: of another model, or in the API. */
  at(path: string): SearchAddress {
    return new SearchAddress(path, this.pairs);
  }
}

const POSITIONS: ReadonlySet<string> = new Set(["page", "p", "cursor", "facets", "facet_text", "facet_below", "tree"]);
