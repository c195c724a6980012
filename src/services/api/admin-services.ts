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

/** Which lines of the audit log, and the newest how many of them. */
interface AuditRequest extends Omit<AuditFilter, "before"> {
  /** A span back from now (`2h`, `7d`), a date or an instant; the day of `until` is still meant. */
  readonly since?: string;
  readonly until?: string;
}

export interface AuditLine extends AuditRow {
  /** Name of the user of `whom`. */
  readonly whom_name?: string;
  /** The name that the user of `who` has now, where it is another. */
  readonly who_now?: string;
}

/** A stored record that its model would not let anybody publish now. */
export interface OutdatedRecord {
  readonly id: string;
  readonly model: string;
  readonly state: RecordState;
  readonly problems: number;
  readonly first: Issue;
}

/** A verification, and the records that no longer pass their model: they are right in the store all the same. */
export interface StoreVerification extends Verification {
  /** The first `LIMITS.findingsMax` of `total`. Absent: the file is damaged, and they were not looked at. */
  readonly outdated?: { readonly total: number; readonly records: readonly OutdatedRecord[] };
}

/** Health, and the audit of refused requests. */
export interface AdminServices {
  /** Throws where a dependency does not answer. */
  checkReady(): Promise<void>;
  /** How far the indexes are that lie beside the store, the one first that searches ask. */
  listIndexes(): Promise<readonly IndexStatus[]>;
  noteRefusals(refusals: readonly Refusal[]): Promise<void>;
}

/** Verification, backup and the audit log, for the command line. */
export interface AdminOperatorServices {
  /** Oldest first. @throws PARAMETER_INVALID */
  listAudit(request: AuditRequest): Promise<readonly AuditLine[]>;
  /** Compares store, index, change table and counters; writes nothing. */
  verifyStore(onProgress: OnProgress): Promise<StoreVerification>;
  /** As above, repairs what can be made again, and verifies again. */
  repairStore(onProgress: OnProgress): Promise<Repair & { readonly after: StoreVerification }>;
  /** Terms that changed, where the index of the records that cite them does not follow yet. */
  countStaleTerms(): Promise<number>;
  /** What the store is and holds. */
  readStatus(): Promise<StoreStatus>;
  /** What is stored of models and vocabularies that the catalog does not have. */
  findUnserved(): Promise<Unserved>;
  /** Makes the index beside the store anew, see `StoreAdmin.reindex`. @param shards absent: as many as it has */
  reindexStore(shards: number | undefined, onProgress: OnProgress): Promise<Reindexed>;
  /** Copies the store of one moment into a file, while writes go on. @param force overwrite it */
  backupStore(file: string, force: boolean): Promise<BackupSummary>;
  /** All of the store as the text of a dump, see `writeStoreDump`. */
  dumpStore(): Promise<AsyncIterable<string>>;
}
