import type { RecordState } from "../../core/record.js";

/** Which stale records are refreshed. */
interface RefreshRequest {
  /** Only records that are stale by terms of this vocabulary; all of their terms are refreshed. */
  readonly vocabulary?: string;
  /** Published records too, of every version; else drafts only. */
  readonly published?: boolean;
  /** Says what would be done, and writes no record. */
  readonly dryRun?: boolean;
  /** Called now and then with the number of records that are done, of so many. */
  readonly onProgress?: (done: number, of: number) => void;
}

/** What became of the records. */
export interface RefreshSummary {
  readonly drafts: number;
  readonly published: number;
  /** Stale records that somebody else refreshed, replaced or removed meanwhile. */
  readonly unchanged: number;
  /** Records that are as they were, and why. */
  readonly refused: readonly {
    readonly id: string;
    readonly model: string;
    readonly state: RecordState;
    readonly reason: string;
  }[];
}

/** Records and the terms that they cite, for the command line. */
export interface RefreshOperatorServices {
  /**
   * Fills the terms that stale records cite in anew, as they are now. Each record is a transaction, so whoever ends it
   * and begins anew goes on where it was. @throws VOCABULARY_NOT_FOUND
   */
  refreshRecords(request: RefreshRequest): Promise<RefreshSummary>;
}
