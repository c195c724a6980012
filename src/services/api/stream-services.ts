import type { Actor } from "../../core/actor.js";
import type { Citable } from "../../core/citable/citable.js";
import type { RecordBody, StoredRecord } from "../../core/record.js";
import type { RecordHit, RecordSearchRequest, TermHit, TermSearchRequest } from "./search-services.js";

/**
 * The whole result of a search, read slice by slice from the state in which it was opened. It holds that state open, so
 * that it ends by itself after some time (`LIMITS.streamMsMax`). It stays in the thread that opened it.
 */
export interface OpenedResult<Hit> {
  /** The next hits in the order of the search; none at the end. @throws STORE_UNAVAILABLE where it was ended */
  next(): Promise<readonly Hit[]>;
  close(): void;
}

/** The table that is wanted of a result, as far as it is said. */
export interface TableWanted {
  /** Names of the query language, or paths. */
  readonly fields?: readonly string[];
  /** A list: each of its elements is a row. */
  readonly rows?: string;
  /** Only elements that fulfil what the query asks of the list. */
  readonly matched?: true;
  /** By column. */
  readonly units?: Readonly<Record<string, string>>;
}

export interface OpenedRecordResult extends OpenedResult<RecordHit> {
  /** A hit as formats need it. */
  describe(record: StoredRecord): Promise<Citable>;
  /** Which elements of a list the query asks for, in their order; undefined where it asks nothing of the list. */
  matching(body: RecordBody, list: string): Promise<readonly boolean[] | undefined>;
}

/** Searches without a window of pages; `page`, `size` and facets of a request mean nothing, its cursor a beginning. */
export interface StreamServices {
  /** @param ids fetches these instead of searching */
  openRecordResult(actor: Actor, request: RecordSearchRequest, ids?: readonly string[]): Promise<OpenedRecordResult>;
  /** @param ids fetches these instead of searching */
  openTermResult(actor: Actor, request: TermSearchRequest, ids?: readonly string[]): Promise<OpenedResult<TermHit>>;
}
