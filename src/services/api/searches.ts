import type { Actor } from "../../core/actor.js";
import type { MoleculeContent } from "../../core/answers/molecule-answers.js";
import type { Aggregation, Highlight, SearchedQuery, SelectedValue } from "../../core/answers/searches.js";
import type { Term } from "../../core/answers/term-answers.js";
import type { Citable } from "../../core/citable/citable.js";
import type { Warning } from "../../core/issue.js";
import type { RecordBody, StoredRecord } from "../../core/record.js";
import type { StoredTerm } from "../../core/term.js";
import type { TermAddress } from "./vocabularies.js";

/** The requested page of hits. */
export interface SearchWindow {
  /** From 1. Absent with a cursor. */
  readonly page?: number;
  readonly size: number;
  /** `*`, or `next` of an earlier answer. */
  readonly cursor?: string;
}

/** The facets to count, and the buckets to list. */
export interface FacetCounting {
  /** Only these facets; absent: all. */
  readonly names?: readonly string[];
  /** Number of equal steps of histograms, by name. */
  readonly steps?: Readonly<Record<string, number>>;
  /** If one facet is counted: lists only buckets that match this text. */
  readonly text?: string;
  /** If one tree is counted: lists the nearest buckets below this key. */
  readonly below?: string;
  /** Whether trees list the cited terms without the terms above them. Default: the largest buckets. */
  readonly citedOnly?: boolean;
}

/** The parameters of a search, without the caller. */
export interface SearchRequest {
  readonly q?: string;
  /** Text for suggestions while typing, never read as syntax. Not together with `q`. */
  readonly suggest?: string;
  readonly sort?: string;
  readonly window: SearchWindow;
  /** Filters by facet name. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** Buckets per facet; 0 omits the aggregations. */
  readonly facetSize: number;
  readonly counting?: FacetCounting;
  /** Language of titles, labels and the title order. */
  readonly lang: string;
  /** Whether each hit contains its matches. */
  readonly highlight?: boolean;
  /**
   * Whether the answer may lack the last changes. If it does, it says so. Absent: the answer is exact, or the search
   * fails.
   */
  readonly mayBeBehind?: boolean;
}

/** The parameters of a search for records. */
export interface RecordSearchRequest extends SearchRequest {
  /** Absent: all models. */
  readonly model?: string | undefined;
  /** Searches the caller's own records and drafts instead of the public records. */
  readonly own: boolean;
  /** Includes older published versions. */
  readonly allVersions?: boolean;
  /** With `own`: searches the drafts that others shared with the caller. */
  readonly shared?: boolean;
  /** With `own`: searches the drafts of all users, for curators. */
  readonly everyone?: boolean;
  /** Only records that contain an older version of a cited term. */
  readonly stale?: boolean;
  /** Only records that cite this term; without `own` also the drafts among them that the caller may read. */
  readonly citing?: TermAddress | undefined;
  /** Whether the first parts of large records are sufficient. */
  readonly beginnings?: boolean;
  /** Paths of lists by model: each hit says which elements of its list match the query. */
  readonly matchedIn?: Readonly<Record<string, string>>;
}

/** The parameters of a search for terms. */
export interface TermSearchRequest extends SearchRequest {
  readonly vocabulary: string;
  readonly parent?: string;
  readonly ancestor?: string;
  /** Only unconfirmed terms (false), or only confirmed ones. */
  readonly confirmed?: boolean;
}

/** A page of hits, with counts and the interpretation of the query. */
export interface SearchAnswer<Hit> {
  readonly hits: readonly Hit[];
  readonly total: number;
  /** Actual number of hits per page: too large sizes are reduced for terms. */
  readonly size: number;
  readonly sortBy: string;
  readonly aggregations?: Readonly<Record<string, Aggregation>> | undefined;
  /** Selected values of facets that are not counted, by the name of the facet. Absent if no facet is counted. */
  readonly selected?: Readonly<Record<string, readonly SelectedValue[]>> | undefined;
  /** The interpretation of `q`; `parsed` is "" without a query. `suggestions` have hits if the query has none. */
  readonly query: SearchedQuery;
  readonly warnings: readonly Warning[];
  /** Cursor of the next page. Absent if there is no next page, or if a page number leads to it. */
  readonly next?: string;
  /**
   * Set if the same search may have another answer although nothing was published: the answer depends on the clock
   * (`now` in a query, or a search for suggestions with a time limit), or on the words of drafts, which are used as
   * suggestions.
   */
  readonly isUnsettled?: true;
  /** With `mayBeBehind`: number of changes that the answer lacks; it is unsettled then. Absent: the answer is exact. */
  readonly behind?: number | undefined;
}

/** A record among hits. */
export interface RecordHit extends StoredRecord {
  /** With `highlight` only. */
  readonly highlight?: Highlight | undefined;
  /** Number of elements that the lists of a large record lack, by their paths; only with `beginnings`. */
  readonly elementsLeft?: ReadonlyMap<string, number>;
  /** With `matchedIn`: whether each element of the list matches; absent if the query does not concern the list. */
  readonly matched?: readonly boolean[] | undefined;
}

/** A term among hits. */
export interface TermHit extends StoredTerm {
  readonly highlight?: Highlight | undefined;
  /** `kind` is that of a synonym. */
  readonly matched?: NonNullable<Term["matched"]> | undefined;
}

/** The answer to a request for a molecule. */
export type MoleculeAnswer =
  /** The id has another form, or is that of a replaced term. */
  | { readonly kind: "moved"; readonly to: string }
  | {
      readonly kind: "molecule";
      readonly molecule: MoleculeContent;
      /** Number of changes that the answer lacks. Absent: it is exact. */
      readonly behind?: number | undefined;
    };

/** A query text to explain and complete. Positions count code points. */
export interface QueryTextRequest {
  readonly q: string;
  /** A query of one model or one vocabulary; both absent: of all models. */
  readonly model?: string | undefined;
  readonly vocabulary?: string | undefined;
  /** Position of the cursor; absent: nothing is completed. */
  readonly at?: number | undefined;
  /** Whether hits are counted. */
  readonly totals: boolean;
  /** Language of titles. */
  readonly lang: string;
}

/**
 * The whole result of a search, read page by page from one snapshot. It keeps the snapshot open, so it is closed after
 * some time (`LIMITS.streamMsMax`). It belongs to the thread that opened it.
 */
export interface OpenedResult<Hit> {
  /** Returns the next hits in the order of the search; none at the end. @throws STORE_UNAVAILABLE if it was closed */
  next(): Promise<readonly Hit[]>;
  close(): void;
}

/** The requested table of a result. */
export interface TableRequest {
  /** Names of the query language, or paths. */
  readonly fields?: readonly string[] | undefined;
  /** A list: each of its elements is a row. */
  readonly rows?: string | undefined;
  /** Only elements that match the query. */
  readonly matched?: true | undefined;
  /** Units by column. */
  readonly units?: Readonly<Record<string, string>> | undefined;
}

/** The whole result of a search for records. */
export interface OpenedRecordResult extends OpenedResult<RecordHit> {
  /** Returns a hit in the form that formats need. */
  describe(record: StoredRecord): Promise<Citable>;
  /** Returns which elements of a list match the query, in order; undefined if the query does not concern the list. */
  matching(body: RecordBody, list: string): Promise<readonly boolean[] | undefined>;
}

/** Searches that return whole results. They ignore `page`, `size` and facets; a cursor is the start of the result. */
export interface StreamServices {
  /** @param ids fetches these instead of searching */
  openRecordResult(actor: Actor, request: RecordSearchRequest, ids?: readonly string[]): Promise<OpenedRecordResult>;
  /** @param ids fetches these instead of searching */
  openTermResult(actor: Actor, request: TermSearchRequest, ids?: readonly string[]): Promise<OpenedResult<TermHit>>;
}
