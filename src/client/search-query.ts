import type { SearchAnswer } from "./answers.js";
import { BinderyError, type CallOptions, type QueryValue, type Transport } from "./transport.js";

/** Parameters of all searches. */
export interface SearchQuery<Sort extends string = string> {
  /** Words, phrases, fields, ranges, Boolean operators: docs/search-card.md. Any text is a query. */
  readonly q?: string;
  /** Alternative to `q` during typing: plain text whose last word may be unfinished. */
  readonly suggest?: string;
  /** Page, from 1. Pages reach the first 10,000 hits; `all` and `cursor` reach all. */
  readonly page?: number;
  /** Hits of a page; default 10. */
  readonly size?: number;
  readonly sort?: Sort;
  /** Alternative to `page`: `*`, then the cursor of `links.next`. `all` does this automatically. */
  readonly cursor?: string;
  /** Keys of facets' buckets: `{ instrument: "ins:2", year: ["2023", "2024"] }`. */
  readonly filters?: Readonly<Record<string, string | readonly string[]>>;
  /** `false`: no aggregations; names: only these facets. */
  readonly facets?: boolean | string | readonly string[];
  /** With one name in `facets`: lists its buckets whose label, synonym or key matches, the last word unfinished. */
  readonly facetText?: string;
  /** With the name of one tree in `facets`: lists the nearest buckets below this key. */
  readonly facetBelow?: string;
  /** Cuts histograms into equal steps: `"kd:24"`. */
  readonly facetBins?: string | readonly string[];
  /** Buckets per facet; default 20. */
  readonly facetSize?: number;
  /** Adds the matching fragments to each hit. */
  readonly highlight?: boolean;
  /** Language of titles and labels: `en`. */
  readonly lang?: string;
}

/** Orders of records: also by a number, date or quantity, ascending (`kd`) or descending (`-kd`). */
export type RecordOrder = "newest" | "oldest" | "bestmatch" | (string & {});

/** Parameters of a search for records. */
export interface RecordQuery extends SearchQuery<RecordOrder> {
  /** Alternative to a search: these records, in this order; at most 200. */
  readonly ids?: readonly string[];
  /** Includes older published versions. */
  readonly allVersions?: boolean;
  /** Only records with an outdated version of a cited term. */
  readonly stale?: boolean;
}

/** Parameters of a search in own records: drafts, and published records without a draft. */
export interface OwnQuery extends RecordQuery {
  readonly state?: "draft" | "published";
  readonly isDraft?: boolean;
  readonly isPublished?: boolean;
  /** Drafts that are shared with the user, instead of the user's own. */
  readonly shared?: boolean;
  /** Drafts of all users, instead of the user's own: for curators. */
  readonly everyone?: boolean;
}

/** Parameters of a search for the records that cite a term. */
export interface CitationQuery extends RecordQuery {
  readonly state?: "draft" | "published";
}

/** Parameters of a search for terms. */
export interface TermQuery extends SearchQuery<"title" | "newest" | "oldest" | "bestmatch" | "mostcited"> {
  /** Children of this term, in a hierarchy. */
  readonly parent?: string;
  /** Descendants of this term, in a hierarchy. */
  readonly ancestor?: string;
  /** false: only terms of depositors that no curator has confirmed; true: only all other terms. */
  readonly confirmed?: boolean;
}

/** Query for a whole result: in its order, without pages and facets. */
export type WholeQuery<Query> = Omit<
  Query,
  "page" | "size" | "cursor" | "facets" | "facetText" | "facetBelow" | "facetBins" | "facetSize" | "highlight"
>;

/** Columns and lines of a result as CSV. */
export interface TableOptions {
  /** Columns by names of the query language or by paths. */
  readonly fields?: readonly string[];
  /** List (`results`) with one line for each element; default: one line for each record. */
  readonly rows?: string;
  /** With `rows`: only elements that match the query. */
  readonly matched?: boolean;
  /** For Excel: `semicolon` in countries with a decimal comma, `comma` in others. */
  readonly excel?: "semicolon" | "comma";
  /** Units to which columns are converted: `{ kd: "nM" }`. */
  readonly units?: Readonly<Record<string, string>>;
}

/** Query that is interpreted without a search. */
export interface ReadOptions {
  /** Model, or vocabulary of terms; default: all models. */
  readonly model?: string;
  readonly vocabulary?: string;
  /** Adds completions at this position: the number of preceding code points. */
  readonly at?: number;
  /** `false`: without counts. */
  readonly totals?: boolean;
  /** Language of titles: `en`. */
  readonly lang?: string;
}

/** Search by pages or for all hits. */
export interface Searchable<Hit, Query extends SearchQuery> {
  /** Returns one page of hits, with counts. */
  search(query?: Query, options?: CallOptions): Promise<SearchAnswer<Hit>>;
  /**
   * Returns any number of hits: `for await (const hit of ….all({ q }))`. Requests a page of `size` (100) when the
   * previous one is used up. Hits that exist during the whole search are neither repeated nor skipped.
   */
  all(query?: Omit<Query, "page" | "cursor" | "facets">, options?: CallOptions): AsyncGenerator<Hit, void, undefined>;
  /**
   * Returns all hits of one state, in one request that is read as they arrive: `for await (const hit of ….stream({ q
   * }))`. The end of the loop ends the request.
   */
  stream(query?: WholeQuery<Query>, options?: CallOptions): AsyncGenerator<Hit, void, undefined>;
  /** Returns the same hits as the text of a CSV file, in pieces as it arrives. */
  csv(query?: WholeQuery<Query> & TableOptions, options?: CallOptions): AsyncGenerator<string, void, undefined>;
}

/** Creates the search methods of a path. @param path path of the search, `/api/records/mst` */
export function makeSearchable<Hit, Query extends SearchQuery>(
  { send, open }: Transport,
  path: string,
): Searchable<Hit, Query> {
  const search = (query: SearchQuery = {}, options?: CallOptions): Promise<SearchAnswer<Hit>> =>
    send("GET", path, { ...options, query: toParameters(query) });

  return {
    search,
    async *all(query, options) {
      let cursor: string | undefined = "*";
      while (cursor !== undefined) {
        const pageQuery = { size: 100, ...query, cursor, facets: false } as SearchQuery;
        const { hits, links }: SearchAnswer<Hit> = await search(pageQuery, options);
        yield* hits.hits;
        cursor = nextCursor(links.next);
      }
    },
    async *stream(query = {} as WholeQuery<Query>, options = {}) {
      const parameters = { ...toParameters(query as SearchQuery), format: "ndjson" };
      yield* readLines<Hit>(await open(path, { ...options, query: parameters }), options.signal);
    },
    async *csv(query = {} as WholeQuery<Query> & TableOptions, options = {}) {
      const { units = {}, ...rest } = query as SearchQuery & TableOptions;
      const converted = Object.entries(units).map(([name, unit]) => [`unit.${name}`, unit] as const);
      const parameters = { ...toParameters(rest), ...Object.fromEntries(converted), format: "csv" };
      yield* readText(await open(path, { ...options, query: parameters }), options.signal);
    },
  };
}

/** Returns only the cursor of the link: its address is the public one, which the client may not use. */
function nextCursor(next: string | undefined): string | undefined {
  return next === undefined ? undefined : (new URL(next).searchParams.get("cursor") ?? undefined);
}

/** Names of parameters in requests, if they differ from those of the client. */
const PARAMETER_NAMES: Readonly<Record<string, string>> = {
  facetSize: "facet_size",
  facetText: "facet_text",
  facetBelow: "facet_below",
  facetBins: "facet_bins",
  allVersions: "allversions",
  isDraft: "is_draft",
  isPublished: "is_published",
};

function toParameters({ filters, facets, ...rest }: SearchQuery): Record<string, QueryValue> {
  const named = Object.entries(rest).map(
    ([name, value]) => [PARAMETER_NAMES[name] ?? name, value as QueryValue] as const,
  );
  const counted = facets === false ? "none" : facets === true ? undefined : facets;
  return { ...filters, ...Object.fromEntries(named), ...(counted === undefined ? {} : { facets: counted }) };
}

/**
 * Reads the text of an answer in pieces, as they arrive. If the caller stops reading, the request ends.
 *
 * @throws BinderyError if it breaks off (the service ends answers that are read too slowly); or the signal's reason
 */
async function* readText(response: Response, signal?: AbortSignal): AsyncGenerator<string, void, undefined> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const piece = (await reader?.read())?.value;
      if (piece === undefined) return;
      yield decoder.decode(piece, { stream: true });
    }
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const message = `The answer of ${response.url} broke off: ${error instanceof Error ? error.message : error}.`;
    throw new BinderyError({ status: 0, code: "UNREACHABLE", message }, { cause: error });
  } finally {
    // It may be broken already, or at its end.
    await reader?.cancel().catch(() => undefined);
  }
}

/** Reads the values of JSON lines. */
async function* readLines<Value>(response: Response, signal?: AbortSignal): AsyncGenerator<Value, void, undefined> {
  let lineStart = "";
  for await (const text of readText(response, signal)) {
    const lines = (lineStart + text).split("\n");
    lineStart = lines.pop()!;
    for (const line of lines) if (line !== "") yield JSON.parse(line) as Value;
  }
  if (lineStart !== "") yield JSON.parse(lineStart) as Value;
}
