import type { Actor } from "../../core/actor.js";
import type { FacetValues, Scale } from "../../core/catalog/types.js";
import type { Warning } from "../../core/issue.js";
import type { StoredRecord } from "../../core/record.js";
import type { StoredTerm } from "../../core/term.js";
import type { Highlight } from "../../query/highlight/highlight.js";
import type { TermAddress } from "./vocabulary-services.js";

/** What a search asks for, beside who asks. */
export interface SearchWindow {
  /** From 1. Absent with a cursor. */
  readonly page?: number;
  readonly size: number;
  /** `*`, or what `next` of an earlier answer said. */
  readonly cursor?: string;
}

/** What of the facets is counted, and which buckets are listed. */
export interface Counting {
  /** Only these facets; absent: all. */
  readonly names?: readonly string[];
  /** Of histograms, by name: cut into as many equal steps. */
  readonly steps?: Readonly<Record<string, number>>;
  /** Of the one facet that is counted: the buckets that match what somebody typed. */
  readonly text?: string;
  /** Of the one tree that is counted: the nearest buckets below this key. */
  readonly below?: string;
}

export interface SearchRequest {
  readonly q?: string;
  /** As-you-type: raw text, never syntax. Not together with q. */
  readonly suggest?: string;
  readonly sort?: string;
  readonly window: SearchWindow;
  /** Filters by facet name. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** Buckets per facet; 0 leaves the aggregations out. */
  readonly facetSize: number;
  readonly counting?: Counting;
  /** Language of titles, labels and the title order. */
  readonly lang: string;
  /** Is each hit to say what of it matched? */
  readonly highlight?: boolean;
  /** Is an answer that lacks the last changes better than none? It says so. Absent: it is exact, or refused. */
  readonly mayBeBehind?: boolean;
}

export interface RecordSearchRequest extends SearchRequest {
  /** Of one model, or of all. */
  readonly model?: string;
  /** The caller's own records and drafts instead of the public ones. */
  readonly own: boolean;
  /** Older published versions too. */
  readonly allVersions?: boolean;
  /** With `own`: drafts that others shared with the caller instead. */
  readonly shared?: boolean;
  /** With `own`: the drafts of everybody instead, for curators. */
  readonly everyone?: boolean;
  /** Only records that have an older version of a term they cite than there is now. */
  readonly stale?: boolean;
  /** Only records that cite this term; without `own` also the drafts among them that the caller may read. */
  readonly citing?: TermAddress;
  /** Are the beginnings of large records sufficient? */
  readonly beginnings?: boolean;
  /** Is each hit to say which elements of a list the query asks for? Paths of the lists by model. */
  readonly matchedIn?: Readonly<Record<string, string>>;
}

export interface TermSearchRequest extends SearchRequest {
  readonly vocabulary: string;
  readonly parent?: string;
  readonly ancestor?: string;
  /** Only terms that wait for a curator (false), or only the others. */
  readonly confirmed?: boolean;
}

export interface Bucket {
  readonly key: string;
  readonly label: string;
  readonly doc_count: number;
  readonly is_selected: boolean;
  /** In a tree: the nearest ancestor that is listed too. */
  readonly parent?: string;
  /** Of those below a key: are there others below it? */
  readonly has_below?: true;
  /**
   * Of years (days: `2024-01-01`, or times) and histograms (numbers): where the bucket begins, and where the next one
   * does. Absent where it has no end.
   */
  readonly from?: number | string;
  readonly to?: number | string;
}

export interface Aggregation {
  readonly label: string;
  readonly type: FacetValues["kind"];
  /** Count descending, then key. */
  readonly buckets: readonly Bucket[];
  /** Sum of the counts of the buckets that are not listed. */
  readonly other: number;
  /** Of a histogram: what its numbers are in, how its axis grows, its smallest and its largest number. */
  readonly unit?: string;
  readonly scale?: Scale;
  readonly min?: number | null;
  readonly max?: number | null;
}

export interface SearchAnswer<Hit> {
  readonly hits: readonly Hit[];
  readonly total: number;
  /** Hits per page as it was used: a size above the greatest for items is reduced. */
  readonly size: number;
  readonly sortBy: string;
  readonly aggregations?: Readonly<Record<string, Aggregation>>;
  /** How q was read; `parsed` is "" for no query. `suggestions` find something where it finds nothing. */
  readonly query: {
    readonly parsed: string;
    readonly fallback: boolean;
    readonly suggestions?: readonly string[];
  };
  readonly warnings: readonly Warning[];
  /** Cursor of the next page. Absent if there is no next page, or if a page number leads to it. */
  readonly next?: string;
  /**
   * The same search may be answered otherwise although nothing was published: the answer depends on the clock (`now` in
   * a query, looking for better words or values that may take too long), or on the words of drafts, among which better
   * ones were looked for.
   */
  readonly isUnsettled?: true;
  /** With `mayBeBehind`: so many changes of the store the answer lacks. It is unsettled then. Absent: it is exact. */
  readonly behind?: number;
}

export interface RecordHit extends StoredRecord {
  /** With `highlight` only. */
  readonly highlight?: Highlight;
  /** Number of elements that the lists of a large record lack, by their paths; only with `beginnings`. */
  readonly elementsLeft?: ReadonlyMap<string, number>;
  /** With `matchedIn`: of each element of the list; absent where the query asks nothing of the list. */
  readonly matched?: readonly boolean[];
}

export interface TermHit extends StoredTerm {
  readonly highlight?: Highlight;
  /** `kind` is that of a synonym. */
  readonly matched?: { readonly field: string; readonly text: string; readonly kind?: string };
}

/** Searches of records and of vocabularies. */
export interface SearchServices {
  searchRecords(actor: Actor, request: RecordSearchRequest): Promise<SearchAnswer<RecordHit>>;
  /** Records with these ids, in the order asked; of the same scope as a search, older versions among them. */
  fetchRecords(
    actor: Actor,
    scope: Pick<RecordSearchRequest, "model" | "own" | "shared" | "everyone" | "stale" | "citing" | "beginnings">,
    ids: readonly string[],
  ): Promise<SearchAnswer<RecordHit>>;
  searchTerms(actor: Actor, request: TermSearchRequest): Promise<SearchAnswer<TermHit>>;
}
