/** The parameters of searches: each is declared here, and here becomes part of what a service is asked. */
import { Type } from "typebox";
import { NO_UNITS } from "../../core/catalog/compile-units.js";
import type { Catalog, Vocabulary } from "../../core/catalog/types.js";
import type { Units } from "../../core/catalog/units.js";
import { fail } from "../../core/errors.js";
import type { Warning } from "../../core/issue.js";
import { LIMITS } from "../../core/limits.js";
import type { RecordSearchRequest, SearchRequest, TermSearchRequest } from "../../services/api/search-services.js";
import type { TermAddress } from "../../services/api/vocabulary-services.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import type { RecordSorts } from "../../services/search/record-sorts.js";
import { choice } from "../schemas/components.js";
import { countingOf, FACETS } from "./facet-parameters.js";
import { meantModel } from "./model-parameter.js";
import { layout, pageNumber, pageSize, recordPageSize } from "./page-parameters.js";
import { parameter, queryOf, type Values } from "./parameter.js";
import { makeIssue, type ReadQuery, readParameters, spelled } from "./parameter-reader.js";
import type { Query } from "./query-string.js";
import { RECORD_RESULT, type ResultWanted, resultWanted, TERM_RESULT } from "./result-format.js";
import { recordSort, termSort } from "./sort-parameters.js";

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
        "`aggregations` of a response name the facets and their keys. Histograms and years take any range beside " +
        "their keys, the lower end included and the upper one not: `kd=3e-10..2e-8` (in the unit of the facet), " +
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
  Type.Boolean({ description: "Only records that have an older version of a term they cite than there is now." }),
  { default: false },
);

const RECORDS = {
  ...TEXT,
  sort: recordSort,
  l: layout,
  page,
  size: recordPageSize,
  ...RESPONSE,
  ...RECORD_RESULT,
  ids: ids("records"),
};

const allversions = parameter(Type.Boolean({ description: "Includes older published versions." }), { default: false });

export const RecordSearchQuery = queryOf({ ...RECORDS, allversions, stale });

const state = parameter(Type.Array(choice(["draft", "published"])), { isFacet: true });

/** Of the records that cite a term. */
export const CitationQuery = queryOf({ ...RECORDS, state, allversions, stale });

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

/** Of the caller's own records and drafts. */
export const OwnSearchQuery = queryOf(OWN);

const TERMS = {
  ...TEXT,
  sort: termSort,
  l: layout,
  page,
  size: pageSize(`At most ${LIMITS.termPageSizeMax}; a larger size is reduced to that, with a warning.`),
  ...RESPONSE,
  ids: ids("terms"),
  confirmed: parameter(Type.Boolean({ description: "false: only terms that wait for a curator; true: only others." }), {
    conflicts: { suggest: 'Send "confirmed" with "q", not with "suggest".', ...excludedByIds("confirmed") },
  }),
  ...TERM_RESULT,
};

/** Of a vocabulary without a hierarchy. */
const FlatTermSearchQuery = queryOf(TERMS);

const TREE_TERMS = {
  ...TERMS,
  parent: parameter(Type.String({ description: "Only children of this term (if the vocabulary has a hierarchy)." })),
  ancestor: parameter(
    Type.String({ description: "Only descendants of this term (if the vocabulary has a hierarchy)." }),
  ),
};

/** Of any vocabulary. */
export const TermSearchQuery = queryOf(TREE_TERMS);

/** What the parameters of one search say. */
export interface SearchParameters<Request extends SearchRequest = SearchRequest> {
  readonly request: Request;
  /** What links carry beside page, size, sort and cursor. */
  readonly carried: readonly (readonly [name: string, value: string])[];
  /** The size of a page as the client spelled it: `size` or `s`. */
  readonly sizeName: string;
  /** Fetch these instead of searching. */
  readonly ids?: readonly string[];
  readonly warnings: readonly Warning[];
  /** How the result is wanted. */
  readonly result: ResultWanted;
}

export type TermSearchParameters = SearchParameters<TermSearchRequest>;

/** What a search of records is about, by its path. */
interface RecordSearchScope {
  /** undefined: records of all models */
  readonly model: string | undefined;
  /** The caller's own records and drafts instead of everybody's published ones. */
  readonly own: boolean;
  /** Only what cites this term. */
  readonly citing?: TermAddress;
  /** Those that such a search has. */
  readonly facets: readonly SearchedFacet[];
  readonly sorts: RecordSorts;
}

/**
 * Reads a search of records.
 *
 * @throws PARAMETER_INVALID, PAGE_SIZE_TOO_LARGE, PAGE_WINDOW_EXCEEDED
 */
export function readRecordSearch(
  query: Query,
  catalog: Catalog,
  { model, own, citing, facets, sorts }: RecordSearchScope,
): SearchParameters<RecordSearchRequest> {
  const root = own ? "/api/user/records" : "/api/records";
  const meant = (name: string) => (name === "model" ? meantModel(query, catalog, { model, root }) : undefined);
  const path = { facets, sorts, units: unitsIn(catalog), meant };
  const declared = own ? OwnSearchQuery : citing === undefined ? RecordSearchQuery : CitationQuery;
  const read: ReadSearch & { readonly values: Partial<Values<typeof OWN>> } = readParameters(declared, query, path);
  const { allversions = false, shared = false, everyone = false, stale = false, is_draft, is_published } = read.values;
  const flags = Object.entries(defined({ is_draft, is_published })).map(([name, flag]) => [name, [String(flag)]]);
  const request = requestOf({ ...read, filters: { ...read.filters, ...Object.fromEntries(flags) } });
  return {
    request: { ...request, ...defined({ model, citing }), own, allVersions: allversions, shared, everyone, stale },
    ...restOf(query, read, LIMITS.recordPageSizeMax),
    result: resultWanted(read.values),
  };
}

/**
 * Reads a search of the terms of one vocabulary.
 *
 * @throws PARAMETER_INVALID, PAGE_WINDOW_EXCEEDED
 */
export function readTermSearch(
  query: Query,
  vocabulary: Vocabulary,
  facets: readonly SearchedFacet[],
): TermSearchParameters {
  const path = { facets, units: vocabulary.units };
  const read: ReadSearch & { readonly values: Partial<Values<typeof TREE_TERMS>> } = vocabulary.hierarchy
    ? readParameters(TermSearchQuery, query, path)
    : readParameters(FlatTermSearchQuery, query, path);
  const { parent, ancestor, confirmed } = read.values;
  return {
    request: { ...requestOf(read), vocabulary: vocabulary.name, ...defined({ parent, ancestor, confirmed }) },
    ...restOf(query, read, LIMITS.termPageSizeMax),
    result: resultWanted(read.values),
  };
}

type ReadSearch = Pick<ReadQuery, "filters" | "sent" | "warnings"> & {
  readonly values: Values<typeof TEXT & Omit<typeof RECORDS, keyof typeof RECORD_RESULT>>;
};

/** What all searches ask for alike. */
function requestOf({ values, filters }: ReadSearch): SearchRequest {
  const { q, suggest, sort, page, size, cursor, lang, highlight } = values;
  return {
    ...defined({ suggest, sort }),
    q,
    window: { size, ...(cursor === undefined ? { page } : { cursor }) },
    filters,
    ...countingOf(values),
    lang: lang.toLowerCase(),
    highlight,
  };
}

function restOf(query: Query, { values, sent, warnings }: ReadSearch, sizeMax: number) {
  checkWindow(query, values, sizeMax);
  const spelledOut = new Set(["page", "size", "sort", "cursor"]);
  const kept = [...sent].filter(([name]) => !spelledOut.has(name));
  const carried = kept.flatMap(([name, texts]) => texts.map((text) => [name, text] as const));
  return { carried, sizeName: spelled(query, ["size", "s"]), warnings, ...defined({ ids: values.ids }) };
}

/** The service checks the same; here the answer names the parameter as the client spelled it. */
function checkWindow(query: Query, { page, size }: ReadSearch["values"], sizeMax: number): void {
  const max = LIMITS.pageWindowMax;
  if (page * Math.min(size, sizeMax) <= max) return;
  const message = `page * size must not exceed ${max}; to read more, start with cursor=*.`;
  throw fail("PAGE_WINDOW_EXCEEDED", { max, issues: [makeIssue(query, spelled(query, ["page", "p"]), message)] });
}

/** All models have the same. */
function unitsIn({ models }: Catalog): Units {
  const [model] = models.values();
  return model?.units ?? NO_UNITS;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>;
}
