import type { Actor, Permission } from "../../core/actor.js";
import type { Site } from "../../core/citable/site.js";
import type { Warning } from "../../core/issue.js";
import type { LifeAction } from "../../core/lifecycle.js";
import type { StoredRecord } from "../../core/record.js";
import type { Conditions } from "./conditions.js";
import type { RecordHit, SearchAnswer } from "./search-services.js";

/** An answer that may take long to make. */
export interface LargeAnswer {
  /** Duration of the work on the page thread, in milliseconds; absent: another thread made the answer. */
  readonly madeMs?: number;
}

export interface RecordAnswer extends LargeAnswer {
  readonly record: StoredRecord;
  /** Said once, by the write that caused them. */
  readonly warnings: readonly Warning[];
}

/** A draft that was made, or that was there already. */
interface DraftAnswer extends RecordAnswer {
  readonly isNew: boolean;
}

/** Addresses a record within a model; ids are read in any case. */
export interface RecordAddress {
  readonly model: string;
  readonly id: string;
}

/** How a record is wanted. */
export interface Representation {
  /** Name of a format of `formats/records`. */
  readonly format: string;
  /** Whose addresses stand in it. */
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

/** With whom a draft is shared. */
export interface Grant {
  /** Name of the user. */
  readonly user: string;
  readonly permission: Permission;
  /** ISO 8601 UTC. */
  readonly created: string;
}

/** Records, drafts, their versions and shares. A write runs whole in one transaction; `body` is the request's text. */
export interface RecordServices {
  /** Returns the model of what the caller may read under this id; undefined if nothing is there or it is not served. */
  modelOf(actor: Actor, id: string): Promise<string | undefined>;
  readRecord(actor: Actor, address: { readonly model?: string; readonly id: string }): Promise<StoredRecord>;
  /** @throws FORMAT_NOT_FOUND */
  exportRecord(
    actor: Actor,
    address: { readonly model?: string; readonly id: string },
    representation: Representation,
  ): Promise<ExportAnswer>;
  exportDraft(actor: Actor, address: RecordAddress, representation: Representation): Promise<ExportAnswer>;
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
}
