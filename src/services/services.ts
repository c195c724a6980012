/**
 * The use cases of Bindery, one file each beside this one. Inputs and answers are plain values that can be posted
 * to another thread: `app/workers.ts` decides which thread runs which. The actor comes first and is decided upon.
 */
import type { Actor, Permission, Scope } from "../core/actor.js";
import type { AuditFilter, AuditRow, Refusal } from "../core/audit.js";
import type { FacetValues } from "../core/catalog/types.js";
import type { Warning } from "../core/issue.js";
import type { LifeAction } from "../core/life.js";
import type { StoredRecord } from "../core/record.js";
import type { StoredTerm } from "../core/term.js";
import type { Ancestor, LoadSummary, TokenRow } from "../ports/store.js";
import type { Highlight } from "../query/highlight.js";
import type { ChangeServices } from "./change-services.js";
import type { RecordImport, RecordImportSummary } from "./import-services.js";
import type { FileJudgeServices, JudgeServices } from "./judge-services.js";
import type { TermWriteServices } from "./term-services.js";
import type { UpkeepServices } from "./upkeep-services.js";
import type { UserServices } from "./user-services.js";
import type { WebhookServices } from "./webhook-services.js";

/** What a search asks for, beside who asks. */
export interface SearchWindow {
  /** From 1. Absent with a cursor. */
  readonly page?: number;
  readonly size: number;
  /** `*`, or what `next` of an earlier answer said. */
  readonly cursor?: string;
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
  /** Language of titles, labels and the title order. */
  readonly lang: string;
  /** Is each hit to say what of it matched? */
  readonly highlight?: boolean;
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
}

export interface TermSearchRequest extends SearchRequest {
  readonly vocabulary: string;
  readonly parent?: string;
  readonly ancestor?: string;
}

export interface Bucket {
  readonly key: string;
  readonly label: string;
  readonly doc_count: number;
  readonly is_selected: boolean;
  /** In a tree: the nearest ancestor that is listed too. */
  readonly parent?: string;
  /**
   * Of years (days: `2024-01-01`) and histograms (numbers): where the bucket begins, and where the next one does.
   * Absent where it has no end.
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
  /** The cursor that goes on after the last hit; absent where nothing follows. */
  readonly next?: string;
}

export interface RecordHit extends StoredRecord {
  /** With `highlight` only. */
  readonly highlight?: Highlight;
}

export interface TermHit extends StoredTerm {
  readonly highlight?: Highlight;
  readonly matched?: { readonly field: string; readonly text: string };
}

/** One item: with its lineage, or where it lives now. Unknown and removed ones are errors. */
export type TermAnswer =
  | { readonly kind: "found"; readonly term: StoredTerm; readonly ancestors: readonly Ancestor[] }
  | { readonly kind: "moved"; readonly to: string };

export interface VocabularyHit {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly authority?: string;
  readonly count: number;
  readonly id_pattern: string;
  readonly extensible: boolean;
}

export interface RecordAnswer {
  readonly record: StoredRecord;
  /** Said once, by the write that caused them. */
  readonly warnings: readonly Warning[];
}

/** A draft that was made, or that was there already. */
export interface DraftAnswer extends RecordAnswer {
  readonly isNew: boolean;
}

/** Addresses a record within a model; ids are read in any case. */
export interface RecordAddress {
  readonly model: string;
  readonly id: string;
}

/** One page of tokens; `total` counts all of them. */
export interface TokenPage {
  readonly tokens: readonly TokenRow[];
  readonly total: number;
}

/** With whom a draft is shared. */
export interface Grant {
  /** Name of the user. */
  readonly user: string;
  readonly permission: Permission;
  /** ISO 8601 UTC. */
  readonly created: string;
}

export interface ImportSummary extends LoadSummary {
  readonly refused: readonly { readonly line: number; readonly reason: string }[];
}

export interface ReadServices extends ChangeServices, JudgeServices {
  /** @param token what stands after `Bearer `; absent: anonymous. @throws TOKEN_* */
  authenticate(token: string | undefined): Promise<Actor>;
  readRecord(actor: Actor, address: { readonly model?: string; readonly id: string }): Promise<StoredRecord>;
  /** The latest published version beside a published record, or under a parent. */
  readLatest(actor: Actor, address: RecordAddress): Promise<StoredRecord>;
  /** The published versions beside a published record, or under a parent, newest first. */
  listVersions(
    actor: Actor,
    address: RecordAddress,
    window: { readonly page?: number; readonly size: number },
  ): Promise<SearchAnswer<RecordHit>>;
  readDraft(actor: Actor, address: RecordAddress): Promise<StoredRecord>;
  /** Asked before a body is read. @throws what the action itself throws where the caller may not do it, as it is now */
  checkAccess(actor: Actor, action: Exclude<LifeAction, "create">, address: RecordAddress): Promise<void>;
  listGrants(actor: Actor, address: RecordAddress): Promise<readonly Grant[]>;
  /** @param window page and size, both from 1 */
  listOwnTokens(actor: Actor, window: { readonly page: number; readonly size: number }): Promise<TokenPage>;
  readTerm(vocabulary: string, id: string): Promise<TermAnswer>;
  /** Items by id, in the order asked, without repeats; replaced ids are followed, unknown ones named in `warnings`. */
  fetchTerms(vocabulary: string, ids: readonly string[]): Promise<SearchAnswer<TermHit>>;
  listVocabularies(): Promise<readonly VocabularyHit[]>;
  /** Throws where a dependency does not answer. */
  checkReady(): Promise<void>;
}

export interface SearchServices {
  searchRecords(actor: Actor, request: RecordSearchRequest): Promise<SearchAnswer<RecordHit>>;
  searchTerms(actor: Actor, request: TermSearchRequest): Promise<SearchAnswer<TermHit>>;
}

/** What must hold for a write, and what makes it safe to send it again. */
export interface Conditions {
  /** The revision that the client saw (`If-Match`); of several, one must be the current one. */
  readonly revision?: number | readonly number[];
  readonly once?: Once;
}

/** An `Idempotency-Key`: the same request again gets the first answer. */
export interface Once {
  readonly key: string;
  /** Hex SHA-256 of method, path and body: what was asked. */
  readonly request: string;
}

/** Each runs whole in one transaction of the writer. `body` is the request's text. */
export interface WriteServices extends TermWriteServices {
  createDraft(actor: Actor, model: string, body: string, conditions?: Conditions): Promise<RecordAnswer>;
  replaceDraft(actor: Actor, address: RecordAddress, body: string, conditions?: Conditions): Promise<RecordAnswer>;
  deleteDraft(actor: Actor, address: RecordAddress, conditions?: Conditions): Promise<void>;
  publishDraft(actor: Actor, address: RecordAddress, conditions?: Conditions): Promise<RecordAnswer>;
  /** The draft that a published record is edited in. */
  editRecord(actor: Actor, address: RecordAddress, conditions?: Conditions): Promise<DraftAnswer>;
  /** The draft of a new version beside a published record. */
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
  /** @returns the token itself once: not where an Idempotency-Key was sent again */
  createOwnToken(
    actor: Actor,
    body: string,
    conditions?: Conditions,
  ): Promise<{ readonly token?: string; readonly row: TokenRow }>;
  /** @throws TOKEN_NOT_FOUND, also for somebody else's */
  revokeOwnToken(actor: Actor, id: string): Promise<void>;
  noteRefusals(refusals: readonly Refusal[]): Promise<void>;
  touchToken(token: string, day: string): Promise<void>;
}

/** Which lines of the audit log, and the newest how many of them. */
export interface AuditRequest extends Omit<AuditFilter, "before"> {
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

/** For the command line, which is trusted: whoever opens the data folder is the operator. */
export interface OperatorServices extends FileJudgeServices, UpkeepServices, UserServices, WebhookServices {
  /** Oldest first. @throws PARAMETER_INVALID */
  listAudit(request: AuditRequest): Promise<readonly AuditLine[]>;
  /** @param expires e.g. `90d`, or an ISO date. @returns the token itself, once. */
  createToken(input: {
    readonly user: string;
    readonly name?: string;
    readonly scopes: readonly Scope[];
    readonly expires?: string;
  }): Promise<{ readonly token: string; readonly row: TokenRow }>;
  listTokens(user?: string): Promise<readonly (TokenRow & { readonly userName: string })[]>;
  /** @returns how many were revoked that were not yet: its own, and those that were made by it */
  revokeToken(id: string): Promise<number>;
  importTerms(input: {
    readonly vocabulary: string;
    readonly file: string;
    readonly skipRefused: boolean;
    /**
     * What a line is for an item that is there: `merge` (absent: this) writes the fields that the line has, `replace`
     * makes it the whole item, `add` leaves the item alone.
     */
    readonly mode?: "merge" | "replace" | "add";
    /** Says what would be done, and writes nothing. */
    readonly dryRun?: boolean;
    /** Called now and then with the bytes read so far. */
    readonly onProgress?: (bytesRead: number) => void;
  }): Promise<ImportSummary>;
  /** @throws PARAMETER_INVALID where the file cannot be opened, or the owner is not there */
  importRecords(input: RecordImport): Promise<RecordImportSummary>;
  /** Loads starter items into vocabularies that never had any. */
  loadStarters(): Promise<void>;
}

export type Services = ReadServices & SearchServices & WriteServices;
