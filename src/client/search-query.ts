import type { SearchAnswer } from "./answers.js";
import type { CallOptions, QueryValue, Transport } from "./send.js";
import { readLines, readText } from "./stream.js";

/** What every search takes. */
export interface SearchQuery<Sort extends string = string> {
  /** Words, phrases, fields, ranges, Boolean operators: docs/search-card.md. Any text is a query. */
  readonly q?: string;
  /** Instead of `q`, as one types: plain text whose last word may be unfinished. */
  readonly suggest?: string;
  /** From 1. Pages reach the first 10,000 hits; `all` and `cursor` go on. */
  readonly page?: number;
  /** Hits of a page: 10 where none is asked for. */
  readonly size?: number;
  readonly sort?: Sort;
  /** Instead of `page`: `*`, then what `links.next` carries. `all` does it by itself. */
  readonly cursor?: string;
  /** Keys of facets' buckets: `{ instrument: "ins:2", year: ["2023", "2024"] }`. */
  readonly filters?: Readonly<Record<string, string | readonly string[]>>;
  /** `false`: leaves the aggregations out; names: counts only these facets. */
  readonly facets?: boolean | string | readonly string[];
  /** With one name in `facets`: lists its buckets whose label, synonym or key matches, the last word unfinished. */
  readonly facetText?: string;
  /** With the name of one tree in `facets`: lists the nearest buckets below this key. */
  readonly facetBelow?: string;
  /** Cuts histograms into equal steps: `"kd:24"`. */
  readonly facetBins?: string | readonly string[];
  /** Buckets per facet: 20 where none is asked for. */
  readonly facetSize?: number;
  /** Adds to each hit what of it matched. */
  readonly highlight?: boolean;
  /** Language of titles and labels: `en`. */
  readonly lang?: string;
}

/** Orders of records: also by a number, date or quantity, `kd` the smallest first, `-kd` the largest. */
export type RecordOrder = "newest" | "oldest" | "bestmatch" | (string & {});

export interface RecordQuery extends SearchQuery<RecordOrder> {
  /** Instead of a search: these records, in this order; at most 200. */
  readonly ids?: readonly string[];
  /** Older published versions too. */
  readonly allVersions?: boolean;
  /** Only records that have an older version of a term they cite than there is now. */
  readonly stale?: boolean;
}

/** Of one's own records: drafts, and published records that have none. */
export interface OwnQuery extends RecordQuery {
  readonly state?: "draft" | "published";
  readonly isDraft?: boolean;
  readonly isPublished?: boolean;
  /** The drafts that others share with the user, instead of the user's own. */
  readonly shared?: boolean;
  /** The drafts of everybody, instead of the user's own: for curators. */
  readonly everyone?: boolean;
}

/** Of the records that cite an item. */
export interface CitationQuery extends RecordQuery {
  readonly state?: "draft" | "published";
}

export interface TermQuery extends SearchQuery<"title" | "newest" | "oldest" | "bestmatch"> {
  /** Items directly below this one, in a hierarchy. */
  readonly parent?: string;
  /** All items below this one, in a hierarchy. */
  readonly ancestor?: string;
  /** false: only items that depositors added and no curator has confirmed; true: only others. */
  readonly confirmed?: boolean;
}

/** A query whose whole result is wanted: in its order, without pages and facets. */
export type WholeQuery<Query> = Omit<
  Query,
  "page" | "size" | "cursor" | "facets" | "facetText" | "facetBelow" | "facetBins" | "facetSize" | "highlight"
>;

/** The columns and lines of a result as CSV. */
export interface TableOptions {
  /** Columns, by names of the query language or by paths. */
  readonly fields?: readonly string[];
  /** One line for each element of this list, `results`; else for each record. */
  readonly rows?: string;
  /** With `rows`: only elements that the query asks for. */
  readonly matched?: boolean;
  /** For Excel: `semicolon` in countries with a decimal comma, `comma` in others. */
  readonly excel?: "semicolon" | "comma";
  /** What columns are converted to: `{ kd: "nM" }`. */
  readonly units?: Readonly<Record<string, string>>;
}

/** A query that is read, not searched. */
export interface ReadOptions {
  /** Over one model, or the terms of one vocabulary; neither: over all models. */
  readonly model?: string;
  readonly vocabulary?: string;
  /** Adds what can be typed at this place: the number of code points before it. */
  readonly at?: number;
  /** `false`: counts nothing. */
  readonly totals?: boolean;
  /** Language of titles: `en`. */
  readonly lang?: string;
}

/** A search, a page at a time or all of its hits. */
export interface Searchable<Hit, Query extends SearchQuery> {
  /** One page of hits, with counts. */
  search(query?: Query, options?: CallOptions): Promise<SearchAnswer<Hit>>;
  /**
   * All hits, however many: `for await (const hit of ….all({ q }))`. Asks for a page of `size` (100) when the one
   * before is used up. Neither repeats nor skips what was there all along.
   */
  all(query?: Omit<Query, "page" | "cursor" | "facets">, options?: CallOptions): AsyncGenerator<Hit, void, undefined>;
  /**
   * All hits of one state, in one request that is read as they come: `for await (const hit of ….stream({ q }))`.
   * Whoever leaves the loop ends the request.
   */
  stream(query?: WholeQuery<Query>, options?: CallOptions): AsyncGenerator<Hit, void, undefined>;
  /** The same as the text of a CSV file, piece by piece as it comes. */
  csv(query?: WholeQuery<Query> & TableOptions, options?: CallOptions): AsyncGenerator<string, void, undefined>;
}

export function makeSearchable<Hit, Query extends SearchQuery>(
  { send, open }: Transport,
  path: string,
): Searchable<Hit, Query> {
  const search = (query: SearchQuery = {}, options?: CallOptions): Promise<SearchAnswer<Hit>> =>
    send("GET", path, { ...options, query: parametersOf(query) });

  return {
    search,
    async *all(query, options) {
      let cursor: string | undefined = "*";
      while (cursor !== undefined) {
        const asked = { size: 100, ...query, cursor, facets: false } as SearchQuery;
        const { hits, links }: SearchAnswer<Hit> = await search(asked, options);
        yield* hits.hits;
        cursor = nextCursor(links.next);
      }
    },
    async *stream(query = {} as WholeQuery<Query>, options = {}) {
      const asked = { ...parametersOf(query as SearchQuery), format: "ndjson" };
      yield* readLines<Hit>(await open(path, { ...options, query: asked }), options.signal);
    },
    async *csv(query = {} as WholeQuery<Query> & TableOptions, options = {}) {
      const { units = {}, ...others } = query as SearchQuery & TableOptions;
      const converted = Object.entries(units).map(([name, unit]) => [`unit.${name}`, unit] as const);
      const asked = { ...parametersOf(others), ...Object.fromEntries(converted), format: "csv" };
      yield* readText(await open(path, { ...options, query: asked }), options.signal);
    },
  };
}

/** Only the cursor of the link: its address is the public one, which may not be where the service is asked. */
function nextCursor(next: string | undefined): string | undefined {
  return next === undefined ? undefined : (new URL(next).searchParams.get("cursor") ?? undefined);
}

/** The parameters that the interface spells otherwise. */
const SPELLED: Readonly<Record<string, string>> = {
  facetSize: "facet_size",
  facetText: "facet_text",
  facetBelow: "facet_below",
  facetBins: "facet_bins",
  allVersions: "allversions",
  isDraft: "is_draft",
  isPublished: "is_published",
};

function parametersOf({ filters, facets, ...others }: SearchQuery): Record<string, QueryValue> {
  const named = Object.entries(others).map(([name, value]) => [SPELLED[name] ?? name, value as QueryValue] as const);
  const counted = facets === false ? "none" : facets === true ? undefined : facets;
  return { ...filters, ...Object.fromEntries(named), ...(counted === undefined ? {} : { facets: counted }) };
}
