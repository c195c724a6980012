import type { Catalog, Vocabulary } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import type { SearchRequest } from "../../services/api/search-services.js";
import { recordFacets, type SearchedFacet, termFacets, wrongKey } from "../../services/search/facets.js";
import { clip, type Meant, makeIssue, type ParameterReader, readParameters } from "./parameter-reader.js";
import type { Query } from "./query-string.js";

/** What the parameters of one search endpoint may be. */
export interface SearchEndpoint {
  readonly sorts: readonly string[];
  /** The name of each is a parameter that filters. */
  readonly facets: readonly SearchedFacet[];
  /** Names of parameters that filter and are true or false. */
  readonly flags: readonly string[];
  /** Names of parameters that are true or false and say what is searched. */
  readonly switches: readonly Switch[];
  readonly sizeMax: number;
  /** Is a page that is too large served as the largest (the service does that, and warns) instead of refused? */
  readonly reducesSize: boolean;
  /** Models whose records are searched at paths of their own: where this searches all of them. */
  readonly models: readonly string[];
  readonly hasIds: boolean;
  readonly hasHierarchy: boolean;
}

/** `allversions`: older published versions too; `shared`: drafts that others shared with the caller. */
type Switch = "allversions" | "shared";

/** The parameters of one search request. */
export interface SearchParameters {
  readonly request: SearchRequest;
  readonly switches: Readonly<Partial<Record<Switch, boolean>>>;
  /** `ids=`: fetch these instead of searching. */
  readonly ids?: readonly string[];
  readonly parent?: string;
  readonly ancestor?: string;
  /** What links carry beside page, size, sort and cursor. */
  readonly carried: readonly (readonly [name: string, value: string])[];
  /** The size of a page as the client spelled it: `size` or `s`. */
  readonly sizeName: string;
  readonly warnings: readonly Warning[];
}

/** C1 and C2: the published records of one model, or of all; C3 and C4 (`own`): the caller's, drafts too. */
export function recordEndpoint(catalog: Catalog, model: string | undefined, own: boolean): SearchEndpoint {
  return {
    sorts: ["newest", "oldest", "bestmatch"],
    facets: recordFacets(catalog, model, own),
    flags: own ? ["is_draft", "is_published"] : [],
    switches: own ? ["allversions", "shared"] : ["allversions"],
    sizeMax: LIMITS.recordPageSizeMax,
    reducesSize: false,
    models: model === undefined ? [...catalog.models.keys()] : [],
    hasIds: false,
    hasHierarchy: false,
  };
}

/** C7: the items of one vocabulary. */
export function termEndpoint(vocabulary: Vocabulary): SearchEndpoint {
  return {
    sorts: ["newest", "title", "oldest", "bestmatch"],
    facets: termFacets(vocabulary),
    flags: [],
    switches: [],
    sizeMax: LIMITS.termPageSizeMax,
    reducesSize: true,
    models: [],
    hasIds: true,
    hasHierarchy: vocabulary.hierarchy,
  };
}

/**
 * Reads the parameters of a search.
 *
 * @throws PARAMETER_INVALID, PAGE_SIZE_TOO_LARGE, PAGE_WINDOW_EXCEEDED
 */
export function readSearch(query: Query, endpoint: SearchEndpoint): SearchParameters {
  const reader = readParameters(query);
  const q = reader.one("q");
  const suggest = reader.one("suggest");
  const sort = reader.choice("sort", endpoint.sorts);
  reader.choice("l", ["list"]);
  const page = reader.count(["page", "p"]);
  const size = reader.count(["size", "s"]) ?? LIMITS.pageSizeDefault;
  const cursor = reader.one("cursor");
  const lang = readLanguage(reader);
  const facetSize = readFacetSize(reader);
  const highlight = reader.flag("highlight");
  const filters = readFilters(reader, endpoint);
  const switches = Object.fromEntries(endpoint.switches.map((name) => [name, reader.flag(name) ?? false]));
  const place = endpoint.hasHierarchy ? { parent: reader.one("parent"), ancestor: reader.one("ancestor") } : {};
  const ids = endpoint.hasIds ? reader.all("ids") : [];

  if (q && suggest) reader.refuse(["suggest"], "PARAMETERS_CONFLICT", 'Send "q" or "suggest", not both.');
  if (cursor !== undefined && page !== undefined) {
    reader.refuse(["cursor"], "PARAMETERS_CONFLICT", 'Send "cursor" or "page", not both; start with cursor=* alone.');
  }
  checkIds(reader, ids, { q, suggest, cursor });
  const warnings = reader.finish(meantParameters(endpoint, query));
  const sizeName = query.has("s") && !query.has("size") ? "s" : "size";
  checkWindow(query, endpoint, page ?? 1, { name: sizeName, size });

  const window = { size, ...(cursor === undefined ? { page: page ?? 1 } : { cursor }) };
  const request = {
    ...defined({ q, suggest, sort, highlight }),
    window,
    filters,
    facetSize,
    lang: lang ?? LANGUAGE_DEFAULT,
  };
  return {
    request,
    switches,
    ...(ids.length > 0 ? { ids } : {}),
    ...defined(place),
    carried: carry(reader),
    sizeName,
    warnings,
  };
}

/** How other services call our parameters, without signs. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  q: ["query", "search", "text", "term", "terms", "keyword", "keywords", "find"],
  size: ["limit", "perpage", "pagesize", "rows", "count", "max", "maxresults", "top", "n"],
  page: ["offset", "start", "skip", "from", "pagenumber", "pageno"],
  sort: ["order", "orderby", "sortby", "ordering", "sortorder"],
};

/** What was meant by parameters that other services have. */
function meantParameters({ models, sorts }: SearchEndpoint, query: Query): Meant {
  const hints: Readonly<Record<string, string>> = {
    q: 'Send the query as "q".',
    size: 'Send the number of hits per page as "size" (or "s").',
    page: 'Send the number of the page, from 1, as "page" (or "p"), or use "cursor".',
    sort: `Send the order as "sort": ${sorts.join(", ")}.`,
  };
  const meant = new Map<string, { readonly hint: string; readonly nearest: readonly string[] }>();
  for (const [name, others] of Object.entries(OTHER_NAMES)) {
    for (const other of others) meant.set(other, { hint: hints[name]!, nearest: [name] });
  }
  if (models.length === 0) return meant;
  const asked = query.get("model")?.[0]?.toLowerCase() ?? "";
  const model = models.includes(asked) ? asked : "<model>";
  const hint = `Search the records of one model at /api/records/${model}/; the models are ${models.join(", ")}.`;
  const near = model === asked ? [`/api/records/${model}/`] : models.map((each) => `/api/records/${each}/`);
  return meant.set("model", { hint, nearest: near });
}

function readLanguage(reader: ParameterReader): string | undefined {
  const lang = reader.one("lang");
  if (lang !== undefined && !/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,8}$/.test(lang)) {
    reader.refuse(["lang"], "PARAMETER_INVALID", 'The parameter "lang" must be a language tag such as "en".');
  }
  return lang?.toLowerCase();
}

function readFacetSize(reader: ParameterReader): number {
  const isOff = reader.choice("facets", ["none"]) === "none";
  const size = reader.count(["facet_size"], LIMITS.facetBucketsMax) ?? LIMITS.facetBucketsDefault;
  return isOff ? 0 : size;
}

function readFilters(reader: ParameterReader, { facets, flags }: SearchEndpoint): SearchRequest["filters"] {
  const chosen = facets.map((facet) => [facet.name, readKeys(reader, facet)] as const);
  const said = flags.map((name) => [name, [reader.flag(name)].flatMap((flag) => flag?.toString() ?? [])] as const);
  return Object.fromEntries([...chosen, ...said].filter(([, values]) => values.length > 0));
}

function readKeys(reader: ParameterReader, facet: SearchedFacet): readonly string[] {
  const keys = reader.all(facet.name).filter((value) => value !== "");
  for (const value of keys) {
    const wrong = wrongKey(facet, value);
    if (wrong === undefined) continue;
    const { takes, allowed } = wrong;
    const message = `The parameter "${facet.name}" must be ${takes}, not "${clip(value)}".`;
    reader.refuse([facet.name], "PARAMETER_INVALID", message, { value: clip(value), ...(allowed && { allowed }) });
  }
  return keys;
}

function checkIds(reader: ParameterReader, ids: readonly string[], others: Record<string, string | undefined>): void {
  if (ids.length === 0) return;
  if (ids.length > LIMITS.idsMax) {
    reader.refuse(
      ["ids"],
      "PARAMETER_INVALID",
      `One request can fetch at most ${LIMITS.idsMax} ids; send several requests.`,
    );
  }
  for (const [name, value] of Object.entries(others)) {
    if (value) reader.refuse([name], "PARAMETERS_CONFLICT", `"ids" fetches terms by id; send it without "${name}".`);
  }
}

/** The service checks the same; here the answer names the parameter as the client spelled it. */
function checkWindow(
  query: Query,
  { sizeMax, reducesSize }: SearchEndpoint,
  page: number,
  { name, size }: { readonly name: string; readonly size: number },
): void {
  if (size > sizeMax && !reducesSize) {
    const issue = makeIssue(query, name, `A page has at most ${sizeMax} hits.`);
    throw fail("PAGE_SIZE_TOO_LARGE", { max: sizeMax, issues: [issue] });
  }
  const max = LIMITS.pageWindowMax;
  if (page * Math.min(size, sizeMax) <= max) return;
  const message = `page * size must not exceed ${max}; to read more, start with cursor=*.`;
  const issue = makeIssue(query, query.has("page") || !query.has("p") ? "page" : "p", message);
  throw fail("PAGE_WINDOW_EXCEEDED", { max, issues: [issue] });
}

function carry(reader: ParameterReader): SearchParameters["carried"] {
  const own = new Set(["page", "size", "sort", "cursor"]);
  const kept = [...reader.accepted].filter(([name]) => !own.has(name));
  return kept.flatMap(([name, values]) => values.map((value) => [name, value] as const));
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}

const LANGUAGE_DEFAULT = "en";
