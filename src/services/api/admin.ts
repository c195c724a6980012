import type { AuditFilter, AuditRow } from "../../core/audit-entry.js";
import type { Issue } from "../../core/issue.js";
import type { RecordState } from "../../core/record.js";
import type { Verification } from "../../ports/store-admin.js";

export type { IndexStatus, StoreStatus } from "../../ports/store-admin.js";

/** A filter of the audit log, and the number of newest lines. */
export interface AuditRequest extends Omit<AuditFilter, "before"> {
  /** A span back from now (`2h`, `7d`), a date or an instant; the day of `until` is included. */
  readonly since?: string;
  readonly until?: string;
}

/** A line of the audit log with the current names of users. */
export interface AuditLine extends AuditRow {
  /** Name of the user of `whom`. */
  readonly whom_name?: string | undefined;
  /** The current name of the user of `who`, if it has changed. */
  readonly who_now?: string | undefined;
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

/** The stale records to refresh. */
export interface RefreshRequest {
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
