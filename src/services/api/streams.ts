import type { Actor } from "../../core/actor.js";
import type { Citable } from "../../core/citable/citable.js";
import type { RecordBody, StoredRecord } from "../../core/record.js";
import type { RecordHit, RecordSearchRequest, TermHit, TermSearchRequest } from "./searches.js";

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
export interface TableWanted {
  /** Names of the query language, or paths. */
  readonly fields?: readonly string[];
  /** A list: each of its elements is a row. */
  readonly rows?: string;
  /** Only elements that match the query. */
  readonly matched?: true;
  /** Units by column. */
  readonly units?: Readonly<Record<string, string>>;
}

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
