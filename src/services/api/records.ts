import type { RecordValidation } from "../../core/answers/records.js";
import type { Site } from "../../core/citable/citable.js";
import type { Warning } from "../../core/issue.js";
import type { StoredRecord } from "../../core/record.js";

/** An answer that may take long to make. */
export interface LargeAnswer {
  /** Duration of the work on the page thread, in milliseconds; absent: another thread made the answer. */
  readonly madeMs?: number;
}

/** A record or draft, with warnings of the write. */
export interface RecordAnswer extends LargeAnswer {
  readonly record: StoredRecord;
  /** Returned once, by the write that caused them. */
  readonly warnings: readonly Warning[];
}

/** A new draft, or one that existed already. */
export interface DraftAnswer extends RecordAnswer {
  readonly isNew: boolean;
}

/** The address of a record within a model. Ids are case-insensitive. */
export interface RecordAddress {
  readonly model: string;
  readonly id: string;
}

/** The requested representation of a record. */
export interface Representation {
  /** Name of a format of `formats/records`. */
  readonly format: string;
  /** The site whose addresses the text contains. */
  readonly site: Site;
  /** Whether the record may be large. If so, the page thread reads and writes it. */
  readonly mayBeLarge: boolean;
}

/** A record as text in a format. */
export interface ExportAnswer extends LargeAnswer {
  readonly record: Pick<StoredRecord, "id" | "model" | "revision">;
  /** Absent: the record is large, but the representation excludes large records. */
  readonly text?: string;
}

/** A record with the outcomes of its checks. */
export interface CheckedAnswer extends LargeAnswer {
  readonly record: StoredRecord;
  /** JSON text of the outcomes. Absent: the record is large, but the request excludes large records. */
  readonly text?: string;
}

/** The precondition of a write, and the key that makes it safe to repeat. */
export interface Conditions {
  /** The revision that the client saw (`If-Match`); of several, one must be the current one. */
  readonly revision?: number | readonly number[] | undefined;
  readonly once?: IdempotencyKey | undefined;
}

/** An `Idempotency-Key` of a request. If the request is repeated, it gets the first answer. */
export interface IdempotencyKey {
  readonly key: string;
  /** Hex SHA-256 of method, path and body, which identifies the request. */
  readonly request: string;
}

/** The validation of a body, which is valid if there are no `errors`. */
export interface ValidationResult extends Pick<RecordValidation, "errors" | "warnings">, LargeAnswer {
  /** JSON text as it would be stored, with terms and references filled in. */
  readonly metadata: string;
}

/** The validation of a document of a file. */
export interface ValidatedDocument extends Omit<ValidationResult, "metadata"> {
  /** Its first line, from 1. */
  readonly line: number;
}
