/** Parameters of searches: their declarations, and the requests to services that are made from their values. */
import { Type } from "typebox";
import { choice } from "../../core/answer.js";
import type { Catalog, Vocabulary } from "../../core/catalog/types.js";
import { fail } from "../../core/errors.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import { NO_UNITS, type Units } from "../../core/units/units.js";
import type { RecordSearchRequest, SearchRequest, TermSearchRequest } from "../../services/api/searches.js";
import type { TermAddress } from "../../services/api/vocabularies.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import type { RecordSorts } from "../../services/search/record-sorts.js";
import { FACETS, readCounting } from "./facet-parameters.js";
import { layout, pageNumber, pageSize, recordPageSizeParameter, recordSort, termSort } from "./list-parameters.js";
import { declareQuery, type ParameterValues, parameter } from "./parameter.js";
import {
  makeParameterIssue,
  type NameHint,
  type ParsedParameters,
  readParameters,
  usedName,
} from "./parameter-reader.js";
import { RECORD_RESULT, type ResultOptions, readResultOptions, TERM_RESULT } from "./result-format.js";
import type { Query } from "./url-encoding.js";

const CURSOR_ALONE = 'Send "cursor" or "page", not both; start with cursor=* alone.';
const excludedByIds = (name: string) => ({ ids: `"ids" fetches by id; send it without "${name}".` });

const TEXT = {
  q: parameter(
    Type.String({
      description:
        "Query: words, phrases, fields, ranges, Boolean operators (docs/search-syntax.md). Any text is a valid query.",
      examples: ['"serum albumin"'],
    }),
    {
      default: "",
      elsewhere: ["query", "search", "text", "term", "terms", "keyword", "keywords", "find"],
      hint: 'Send the query as "q".',
      conflicts: excludedByIds("q"),
    },
  ),
  suggest: parameter(
    Type.String({
      description: "Instead of `q`, for search as you type: plain text whose last word may be incomplete.",
    }),
    { conflicts: { q: 'Send "q" or "suggest", not both.', ...excludedByIds("suggest") } },
  ),
};

const page = pageNumber(` page * size must not exceed ${LIMITS.pageWindowMax}; use cursor to read more.`);

const RESPONSE = {
  cursor: parameter(
    Type.String({
      minLength: 1,
      description: "Instead of `page`: `*` for the first page, then the cursor of the link `next`; reads all hits.",
    }),
    {
      conflicts: { page: CURSOR_ALONE, ...excludedByIds("cursor") },
      check: (cursor) => (cursor === "" ? { message: 'Start with cursor=*; "cursor" cannot be empty.' } : undefined),
    },
  ),
  lang: parameter(
    Type.String({
      pattern: "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,8}$",
      description: "Language of titles and labels.",
    }),
    { default: "en", refusal: () => 'The parameter "lang" must be a language tag such as "en".' },
  ),
  ...FACETS,
  highlight: parameter(Type.Boolean({ description: "Adds the matching fragments to each hit, as `highlight`." }), {
    default: false,
  }),
  filters: parameter(
    Type.Unsafe<Readonly<Record<string, readonly string[]>>>({
      type: "object",
      additionalProperties: { type: "array", items: { type: "string" } },
      style: "form",
      explode: true,
      description:
        "Any parameter named after a facet filters by its key: `instrument=ins:2`, `year=2024`, `ph=7..8`. Repeat it " +
        "to select several keys, any of which must match; of several facets, each must match. " +
        "`aggregations` of a response name the facets and their keys. Histograms and years also accept any range, " +
        "which includes its lower end but not its upper one: `kd=3e-10..2e-8` (in the unit of the facet), " +
        `\`kd=0.3nM..20nM\`, \`kd=..1e-8\`, \`collected=2020..2024\`. At most ${LIMITS.filterValuesMax} values in all.`,
    }),
    { isFacet: true },
  ),
};

const ids = (what: string) =>
  parameter(
    Type.Array(Type.String(), {
      maxItems: LIMITS.idsMax,
      description: `Fetches the ${what} with these ids, in this order, instead of searching.`,
    }),
    { refusal: () => `One request can fetch at most ${LIMITS.idsMax} ids; send several requests.` },
  );

const stale = parameter(
  Type.Boolean({ description: "Only records with an outdated version of a term that they cite." }),
  { default: false },
);

const RECORDS = {
  ...TEXT,
  sort: recordSort,
  l: layout,
  page,
  size: recordPageSizeParameter,
  ...RESPONSE,
  ...RECORD_RESULT,
  ids: ids("records"),
};

const allversions = parameter(Type.Boolean({ description: "Includes older published versions." }), { default: false });

/** Query parameters of a search of published records. */
export const RecordSearchQuery = declareQuery({ ...RECORDS, allversions, stale });

const state = parameter(Type.Array(choice(["draft", "published"])), { isFacet: true });

/** Query parameters of a search of the records that cite a term. */
export const CitationQuery = declareQuery({ ...RECORDS, state, allversions, stale });

const OWN = {
  ...RECORDS,
  state,
  is_draft: parameter(Type.Boolean()),
  is_published: parameter(Type.Boolean()),
  allversions,
  stale,
  shared: parameter(
    Type.Boolean({
      description: "Searches drafts that other users shared with the caller, instead of the caller's own.",
    }),
    { default: false },
  ),
  everyone: parameter(
    Type.Boolean({ description: "Searches the drafts of all users, instead of the caller's own; for curators." }),
    { default: false, conflicts: { shared: 'Send "everyone" or "shared", not both.' } },
  ),
};

/** Query parameters of a search of the caller's own records and drafts. */
export const OwnSearchQuery = declareQuery(OWN);

const TERMS = {
  ...TEXT,
  sort: termSort,
  l: layout,
  page,
  size: pageSize(`At most ${LIMITS.termPageSizeMax}; a larger size is reduced to that, with a warning.`),
  ...RESPONSE,
  ids: ids("terms"),
  confirmed: parameter(
    Type.Boolean({ description: "false: only terms that wait for a curator; true: all other terms." }),
    {
      conflicts: { suggest: 'Send "confirmed" with "q", not with "suggest".', ...excludedByIds("confirmed") },
    },
  ),
  ...TERM_RESULT,
};

/** Query parameters of a search in a vocabulary without a hierarchy. */
const FlatTermSearchQuery = declareQuery(TERMS);

const TREE_TERMS = {
  ...TERMS,
  parent: parameter(Type.String({ description: "Only children of this term (if the vocabulary has a hierarchy)." })),
  ancestor: parameter(
    Type.String({ description: "Only descendants of this term (if the vocabulary has a hierarchy)." }),
  ),
};

/** Query parameters of a search in any vocabulary. */
export const TermSearchQuery = declareQuery(TREE_TERMS);

/** Values of the parameters of a search. */
export interface SearchParameters<Request extends SearchRequest = SearchRequest> {
  readonly request: Request;
  /** Parameters that links carry, except page, size, sort and cursor. */
  readonly carried: readonly (readonly [name: string, value: string])[];
  /** Name that the client used for the size of a page: `size` or `s`. */
  readonly sizeName: string;
  /** Ids to fetch instead of a search. */
  readonly ids?: readonly string[];
  readonly warnings: readonly Warning[];
  /** Format and table of the result. */
  readonly result: ResultOptions;
}

/** Values of the parameters of a search for terms. */
export type TermSearchParameters = SearchParameters<TermSearchRequest>;

/** Scope of a search of records, which its path defines. */
interface RecordSearchScope {
  /** Undefined for the records of all models. */
  readonly model: string | undefined;
  /** True for the caller's own records and drafts instead of all published records. */
  readonly own: boolean;
  /** Term that the records must cite. */
  readonly citing?: TermAddress | undefined;
  /** Facets of this search. */
  readonly facets: readonly SearchedFacet[];
  readonly sorts: RecordSorts;
  /** Names of parameters that the caller reads itself. */
  readonly otherNames?: readonly string[];
}

/**
 * Reads a search of records.
 *
 * @throws PARAMETER_INVALID, PAGE_SIZE_TOO_LARGE, PAGE_WINDOW_EXCEEDED
 */
export function readRecordSearch(
  query: Query,
  catalog: Catalog,
  { model, own, citing, facets, sorts, otherNames = [] }: RecordSearchScope,
): SearchParameters<RecordSearchRequest> {
  const root = own ? "/api/user/records" : "/api/records";
  const hintFor = (name: string) => (name === "model" ? hintForModel(query, catalog, { model, root }) : undefined);
  const path = { facets, sorts, units: catalogUnits(catalog), otherNames, hintFor };
  const declared = own ? OwnSearchQuery : citing === undefined ? RecordSearchQuery : CitationQuery;
  const result: ReadSearch & { readonly values: Partial<ParameterValues<typeof OWN>> } = readParameters(
    declared,
    query,
    path,
  );
  const {
    allversions = false,
    shared = false,
    everyone = false,
    stale = false,
    is_draft,
    is_published,
  } = result.values;
  const flags = Object.entries(defined({ is_draft, is_published })).map(([name, flag]) => [name, [String(flag)]]);
  const request = baseRequest({ ...result, filters: { ...result.filters, ...Object.fromEntries(flags) } });
  return {
    request: { ...request, ...defined({ model, citing }), own, allVersions: allversions, shared, everyone, stale },
    ...commonParameters(query, result, LIMITS.recordPageSizeMax),
    result: readResultOptions(result.values),
  };
}

/**
 * Reads a search of the terms of one vocabulary.
 *
 * @param otherNames names of parameters that the caller reads itself
 * @throws PARAMETER_INVALID, PAGE_WINDOW_EXCEEDED
 */
export function readTermSearch(
  query: Query,
  vocabulary: Vocabulary,
  facets: readonly SearchedFacet[],
  otherNames: readonly string[] = [],
): TermSearchParameters {
  const path = { facets, units: vocabulary.units, otherNames };
  const result: ReadSearch & { readonly values: Partial<ParameterValues<typeof TREE_TERMS>> } = vocabulary.hierarchy
    ? readParameters(TermSearchQuery, query, path)
    : readParameters(FlatTermSearchQuery, query, path);
  const { parent, ancestor, confirmed } = result.values;
  return {
    request: { ...baseRequest(result), vocabulary: vocabulary.name, ...defined({ parent, ancestor, confirmed }) },
    ...commonParameters(query, result, LIMITS.termPageSizeMax),
    result: readResultOptions(result.values),
  };
}

type ReadSearch = Pick<ParsedParameters, "filters" | "sentTexts" | "warnings"> & {
  readonly values: ParameterValues<typeof TEXT & Omit<typeof RECORDS, keyof typeof RECORD_RESULT>>;
};

/** Returns the part of the request that all searches have. */
function baseRequest({ values, filters }: ReadSearch): SearchRequest {
  const { q, suggest, sort, page, size, cursor, lang, highlight } = values;
  return {
    ...defined({ suggest, sort }),
    q,
    window: { size, ...(cursor === undefined ? { page } : { cursor }) },
    filters,
    ...readCounting(values),
    lang: lang.toLowerCase(),
    highlight,
  };
}

/** Parameters that links set themselves. */
const LINK_PARAMETERS: ReadonlySet<string> = new Set(["page", "size", "sort", "cursor"]);

/** Returns the members of `SearchParameters` other than the request and the result. @throws PAGE_WINDOW_EXCEEDED */
function commonParameters(query: Query, { values, sentTexts, warnings }: ReadSearch, sizeMax: number) {
  checkWindow(query, values, sizeMax);
  const entries = [...sentTexts].filter(([name]) => !LINK_PARAMETERS.has(name));
  const carried = entries.flatMap(([name, texts]) => texts.map((text) => [name, text] as const));
  return { carried, sizeName: usedName(query, ["size", "s"]), warnings, ...defined({ ids: values.ids }) };
}

/**
 * Checks that the page is within the window. The service checks it too, but here the error has the parameter name that
 * the client used.
 */
function checkWindow(query: Query, { page, size }: ReadSearch["values"], sizeMax: number): void {
  const max = LIMITS.pageWindowMax;
  if (page * Math.min(size, sizeMax) <= max) return;
  const message = `page * size must not exceed ${max}; to read more, start with cursor=*.`;
  throw fail("PAGE_WINDOW_EXCEEDED", {
    max,
    issues: [makeParameterIssue(query, usedName(query, ["page", "p"]), message)],
  });
}

/** Returns the units of the models; they are the same for all models. */
function catalogUnits({ models }: Catalog): Units {
  const [model] = models.values();
  return model?.units ?? NO_UNITS;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/**
 * Returns a hint for a request with `model=`: the path that searches the records of this model. No search has this
 * parameter, because the path names the model.
 * @param searched model in the path of this request
 */
function hintForModel(
  query: Query,
  { models }: Catalog,
  { model: searched, root }: { readonly model: string | undefined; readonly root: string },
): NameHint {
  const names = [...models.keys()];
  const text = query.get("model")?.[0]?.trim().toLowerCase() ?? "";
  const model = [...models.values()].find(({ name, title }) => [name, title.toLowerCase()].includes(text))?.name;
  if (model !== undefined && model === searched) {
    return { hint: `The path names the model ${model} already.`, nearest: [`${root}/${model}/`] };
  }
  const here = searched === undefined ? "" : ` This path searches ${searched}.`;
  const hint = `Search the records of one model at ${root}/${model ?? "<model>"}/; the models are ${names.join(", ")}.`;
  return { hint: hint + here, nearest: (model === undefined ? names : [model]).map((name) => `${root}/${name}/`) };
}

const { q, lang } = RecordSearchQuery.parameters;

/** Query parameters of requests whose answer has titles of terms only. */
export const LanguageQuery = declareQuery({ lang });

/** Query parameters of requests that read or complete the text of a query. */
export const QueryTextQuery = declareQuery({
  q,
  model: parameter(
    Type.String({
      description: "Interprets `q` as a query over this model; default: over all models.",
      examples: ["mst"],
    }),
  ),
  vocabulary: parameter(
    Type.String({
      description: "Interprets `q` as a query over the terms of this vocabulary.",
      examples: ["organisms"],
    }),
    { conflicts: { model: 'Send "vocabulary" or "model", not both.' } },
  ),
  at: parameter(
    Type.Integer({
      minimum: 0,
      description: "Adds `completions` for this place of `q`: the number of code points before it.",
      examples: [4],
    }),
  ),
  totals: parameter(choice(["none"], { description: "`none` counts no hits." })),
  lang,
});
