import type { Actor, Permission } from "../../core/actor.js";
import type { Site } from "../../core/citable/citable.js";
import type { Issue, Warning } from "../../core/issue.js";
import type { LifeAction } from "../../core/lifecycle.js";
import type { StoredRecord } from "../../core/record.js";
import type { SentBody } from "../../core/sent-body.js";
import type { RecordHit, SearchAnswer } from "./search-services.js";

/** An answer that may take long to make. */
export interface LargeAnswer {
  /** Duration of the work on the page thread, in milliseconds; absent: another thread made the answer. */
  readonly madeMs?: number;
}

export interface RecordAnswer extends LargeAnswer {
  readonly record: StoredRecord;
  /** Returned once, by the write that caused them. */
  readonly warnings: readonly Warning[];
}

/** A new draft, or one that existed already. */
interface DraftAnswer extends RecordAnswer {
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
  /** May the record be large? If so, the page thread reads and writes it. */
  readonly mayBeLarge: boolean;
}

/** A record as text in a format. */
export interface ExportAnswer extends LargeAnswer {
  readonly record: Pick<StoredRecord, "id" | "model" | "revision">;
  /** Absent: the record is large, but the representation excludes large records. */
  readonly text?: string;
}

/** A share of a draft with a user. */
export interface Grant {
  /** Name of the user. */
  readonly user: string;
  readonly permission: Permission;
  /** ISO 8601 UTC. */
  readonly created: string;
}

/** The precondition of a write, and the key that makes it safe to repeat. */
export interface Conditions {
  /** The revision that the client saw (`If-Match`); of several, one must be the current one. */
  readonly revision?: number | readonly number[];
  readonly once?: Once;
}

/** An `Idempotency-Key`: a repeated request gets the first answer. */
export interface Once {
  readonly key: string;
  /** Hex SHA-256 of method, path and body, which identifies the request. */
  readonly request: string;
}

/** Records, drafts, their versions and shares. A write is one transaction; `body` is the text of the request. */
export interface RecordServices {
  /**
   * Returns the model of a record or draft that the caller may read; undefined if there is none or it is not served.
   */
  modelOf(actor: Actor, id: string): Promise<string | undefined>;
  readRecord(actor: Actor, address: { readonly model?: string; readonly id: string }): Promise<StoredRecord>;
  /** @throws FORMAT_NOT_FOUND */
  exportRecord(
    actor: Actor,
    address: { readonly model?: string; readonly id: string },
    representation: Representation,
  ): Promise<ExportAnswer>;
  exportDraft(actor: Actor, address: RecordAddress, representation: Representation): Promise<ExportAnswer>;
  /** Returns the latest published version of a record or parent. */
  readLatest(actor: Actor, address: RecordAddress): Promise<StoredRecord>;
  /** Lists the published versions of a record or parent, newest first. */
  listVersions(
    actor: Actor,
    address: RecordAddress,
    window: { readonly page?: number; readonly size: number },
  ): Promise<SearchAnswer<RecordHit>>;
  readDraft(actor: Actor, address: RecordAddress): Promise<StoredRecord>;
  /** Checks rights before a body is read. @throws the error of the action if the caller may not do it now */
  checkAccess(actor: Actor, action: Exclude<LifeAction, "create">, address: RecordAddress): Promise<void>;
  listGrants(actor: Actor, address: RecordAddress): Promise<readonly Grant[]>;
  createDraft(actor: Actor, model: string, body: SentBody, conditions?: Conditions): Promise<RecordAnswer>;
  replaceDraft(actor: Actor, address: RecordAddress, body: SentBody, conditions?: Conditions): Promise<RecordAnswer>;
  deleteDraft(actor: Actor, address: RecordAddress, conditions?: Conditions): Promise<void>;
  publishDraft(actor: Actor, address: RecordAddress, conditions?: Conditions): Promise<RecordAnswer>;
  /** Returns the draft in which a published record is edited. */
  editRecord(actor: Actor, address: RecordAddress, conditions?: Conditions): Promise<DraftAnswer>;
  /** Returns the draft of a new version of a published record. */
  createVersion(actor: Actor, address: RecordAddress, conditions?: Conditions): Promise<DraftAnswer>;
  /** @param body `{"removal_reason"}`, or nothing */
  retractRecord(actor: Actor, address: RecordAddress, body?: string, conditions?: Conditions): Promise<void>;
  putGrant(
    actor: Actor,
    address: RecordAddress,
    body: string,
    conditions?: Conditions,
  ): Promise<{ readonly grant: Grant; readonly isNew: boolean }>;
  /** @param user name or id. @throws GRANT_NOT_FOUND */
  deleteGrant(actor: Actor, address: RecordAddress, user: string): Promise<void>;
}

/** The validation of a body, which is valid if there are no `errors`. */
export interface ValidationResult extends LargeAnswer {
  readonly errors: readonly Issue[];
  readonly warnings: readonly Warning[];
  /** JSON text as it would be stored, with terms and references filled in. */
  readonly metadata: string;
}

/** The validation of a document of a file. */
export interface ValidatedDocument extends Omit<ValidationResult, "metadata"> {
  /** Its first line, from 1. */
  readonly line: number;
}

/** Validation of records; stores nothing. */
export interface ValidationServices {
  /** Validates the text of a body like a new draft. @throws what `createDraft` throws */
  validateRecord(actor: Actor, model: string, body: SentBody): Promise<ValidationResult>;
}

/** Validation of the records of a file, for the command line. */
export interface FileValidationServices {
  /** Validates each document of a file, in all formats of imports. @returns numbers of documents and warnings */
  validateFile(input: {
    readonly model: string;
    readonly file: string;
    /** Called for each document, in the order of the file. */
    readonly onDocument: (document: ValidatedDocument) => void;
    readonly onProgress?: (bytesRead: number) => void;
  }): Promise<{ readonly valid: number; readonly invalid: number; readonly warnings: number }>;
}
