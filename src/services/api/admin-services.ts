import type { AuditFilter, AuditRow, Refusal } from "../../core/audit-entry.js";
import type { Issue } from "../../core/issue.js";
import type { RecordState } from "../../core/record.js";
import type {
  BackupSummary,
  IndexStatus,
  OnProgress,
  Reindexed,
  Repair,
  StoreStatus,
  Unserved,
  Verification,
} from "../../ports/store-admin.js";

export type { IndexStatus, StoreStatus } from "../../ports/store-admin.js";

/** A filter of the audit log, and the number of newest lines. */
interface AuditRequest extends Omit<AuditFilter, "before"> {
  /** A span back from now (`2h`, `7d`), a date or an instant; the day of `until` is included. */
  readonly since?: string;
  readonly until?: string;
}

export interface AuditLine extends AuditRow {
  /** Name of the user of `whom`. */
  readonly whom_name?: string;
  /** The current name of the user of `who`, if it has changed. */
  readonly who_now?: string;
}

/** A stored record that could not be published now. */
export interface OutdatedRecord {
  readonly id: string;
  readonly model: string;
  readonly state: RecordState;
  readonly problems: number;
  readonly first: Issue;
}

/** A verification, with the records that are no longer valid by their model; their stored data are intact. */
export interface StoreVerification extends Verification {
  /** The first `LIMITS.findingsMax` of `total`. Absent: the file is damaged, and they were not validated. */
  readonly outdated?: { readonly total: number; readonly records: readonly OutdatedRecord[] };
}

/** Health, and the audit of refused requests. */
export interface AdminServices {
  /** Throws if a dependency does not answer. */
  checkReady(): Promise<void>;
  /** Returns the state of the indexes outside of the store; the one that searches use comes first. */
  listIndexes(): Promise<readonly IndexStatus[]>;
  noteRefusals(refusals: readonly Refusal[]): Promise<void>;
}

/** Verification, backup and the audit log, for the command line. */
export interface AdminOperatorServices {
  /** Lists lines, oldest first. @throws PARAMETER_INVALID */
  listAudit(request: AuditRequest): Promise<readonly AuditLine[]>;
  /** Compares store, index, change table and counters; writes nothing. */
  verifyStore(onProgress: OnProgress): Promise<StoreVerification>;
  /** Verifies, repairs derived data, and verifies again. */
  repairStore(onProgress: OnProgress): Promise<Repair & { readonly after: StoreVerification }>;
  /** Counts changed terms whose changes are not yet in the index of citing records. */
  countStaleTerms(): Promise<number>;
  /** Returns the kind and content of the store. */
  readStatus(): Promise<StoreStatus>;
  /** Finds stored data of models and vocabularies that are not in the catalog. */
  findUnserved(): Promise<Unserved>;
  /** Rebuilds the separate index, see `StoreAdmin.reindex`. @param shards undefined: the current number */
  reindexStore(shards: number | undefined, onProgress: OnProgress): Promise<Reindexed>;
  /** Copies a snapshot of the store into a file, while writes continue. @param force overwrites the file */
  backupStore(file: string, force: boolean): Promise<BackupSummary>;
  /** Returns the whole store as the text of a dump, see `writeStoreDump`. */
  dumpStore(): Promise<AsyncIterable<string>>;
}

/** The stale records to refresh. */
interface RefreshRequest {
  /** Only records with stale terms of this vocabulary; all of their terms are refreshed. */
  readonly vocabulary?: string;
  /** Also refreshes published records, all versions; by default only drafts. */
  readonly published?: boolean;
  /** Returns the result without writing. */
  readonly dryRun?: boolean;
  /** Called repeatedly with the number of finished records, and the total. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Outcomes of refreshed records. */
export interface RefreshSummary {
  readonly drafts: number;
  readonly published: number;
  /** Stale records that were refreshed, replaced or deleted by others meanwhile. */
  readonly unchanged: number;
  /** Records that could not be refreshed, with the reason. */
  readonly refused: readonly {
    readonly id: string;
    readonly model: string;
    readonly state: RecordState;
    readonly reason: string;
  }[];
}

/** Refreshing of cited terms, for the command line. */
export interface RefreshOperatorServices {
  /**
   * Updates the cited terms in stale records. Each record is a transaction, so an interrupted run can be continued by
   * another one. @throws VOCABULARY_NOT_FOUND
   */
  refreshRecords(request: RefreshRequest): Promise<RefreshSummary>;
}
