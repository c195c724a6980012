/** What an operator does to a store as a whole, beside a running server or without one. */
import type { StoredRecord } from "../core/record.js";
import type { DraftUsage } from "./store.js";
import type { StoreRows } from "./store-rows.js";

/**
 * Where a disagreement lies: what is stored contradicts itself, or the index does, or the index differs from what is
 * stored. Only the first can be a loss: an index can be made again.
 */
export type FindingPlace = "store" | "index" | "between";

/** Something that does not agree with what it is made from. */
export interface Finding {
  readonly place: FindingPlace;
  /** The check that found it: `record.columns`, `index.text`, `changes.order` ... */
  readonly check: string;
  /** Where: a record `zv0gv-btp27 (published)`, a term `organisms/taxid:562`, a table. */
  readonly where: string;
  readonly expected: string;
  readonly found: string;
  /** Can it be made again from what is stored? */
  readonly isMendable: boolean;
}

/** What a verification looked at and found. */
export interface Verification {
  readonly records: number;
  readonly terms: number;
  readonly changes: number;
  /** Number of the last change of the snapshot. */
  readonly lastChange: number;
  /** The first `LIMITS.findingsMax`. */
  readonly findings: readonly Finding[];
  /** All disagreements, by check. */
  readonly counts: Readonly<Record<string, number>>;
  /** Names of vocabularies that are not compared yet: their index is that of another catalog or version. */
  readonly leftOut: readonly string[];
  /** Remarks about other things that are not compared, with the reason; no disagreements. */
  readonly notes: readonly string[];
}

/** What a repair did: the verifications before and after it, and how often each kind of repair was done. */
export interface Repair {
  readonly before: Verification;
  readonly repaired: Readonly<Record<string, number>>;
  readonly after: Verification;
}

/** One step of a long work. `of` is 0 where nobody knows how much there is. */
export interface Progress {
  readonly what: string;
  readonly done: number;
  readonly of: number;
}

export type OnProgress = (progress: Progress) => void;

/** A copy of the store, of one moment. */
export interface BackupSummary {
  readonly file: string;
  readonly bytes: number;
  readonly records: number;
  readonly terms: number;
  readonly lastChange: number;
  /** Ids of records that are damaged in the store, and so in the copy. */
  readonly damaged: readonly string[];
  /** Why the store could not be told of it; absent: it was. */
  readonly unnoted?: string;
}

/** A backup that was made. */
export interface BackupNote {
  /** ISO 8601 UTC: when it was whole. */
  readonly time: string;
  /** Where it was written, as an absolute path. */
  readonly file: string;
  readonly bytes: number;
  /** Number of the last change that it has. */
  readonly lastChange: number;
}

/** Number of users that a status lists by the size of their drafts. */
export const LARGEST_USERS = 5;

/** A user (by name) with their draft usage. */
export interface LargestUser extends DraftUsage {
  readonly user: string;
}

/** What a store is and holds. Nothing is compared, so it is read quickly. */
export interface StoreStatus {
  /** Versions of its tables, and of the analysis of texts that the index in it was made by. */
  readonly schema: number;
  readonly analysis?: number;
  readonly bytes: number;
  /** Of a data folder: the write-ahead log, and what is left on the disk. */
  readonly logBytes?: number;
  readonly diskFreeBytes?: number;
  /** `published`: latest versions. By name. */
  readonly models: readonly {
    readonly name: string;
    readonly published: number;
    readonly olderVersions: number;
    readonly drafts: number;
  }[];
  readonly vocabularies: readonly { readonly name: string; readonly terms: number }[];
  /** Users with drafts, the largest first, at most `LARGEST_USERS`. */
  readonly largestUsers: readonly LargestUser[];
  /** Of records, drafts and terms; absent: there was none. `time`: ISO 8601 UTC. */
  readonly lastChange?: { readonly seq: number; readonly time: string };
  /** Absent: none is known. */
  readonly lastBackup?: BackupNote;
}

/** What is stored of models and vocabularies that the catalog does not have; by name. */
export interface Unserved {
  readonly models: readonly { readonly name: string; readonly published: number; readonly drafts: number }[];
  readonly vocabularies: readonly { readonly name: string; readonly items: number }[];
}

/** What a reindex did. */
export interface Reindexed {
  /** The index that searches ask now. */
  readonly name: string;
  /** Was one completed that an earlier reindex had begun? */
  readonly wasResumed: boolean;
}

/** How far an index is that lies beside its store. */
export interface IndexStatus {
  readonly name: string;
  /** Do searches ask it? */
  readonly isCurrent: boolean;
  /** Is it being made from the beginning? */
  readonly isFilling: boolean;
  /** Number of changes that the index lacks, including those of drafts, and the age of the oldest of them. */
  readonly behindChanges: number;
  readonly behindSeconds: number;
  /** The same for public changes, which everybody may know. */
  readonly behindPublicChanges: number;
  readonly behindPublicSeconds: number;
  /** Records and terms that it refuses: searches judge them beside it. */
  readonly refused: number;
  /** Address of the service that feeds the indexes, as the database has it; null: none does now. */
  readonly fedFrom: string | null;
  /** It is behind by more than searches judge beside it: their answers may lack changes. Absent: they are exact. */
  readonly isFarBehind?: boolean;
}

export interface StoreAdmin {
  status(): Promise<StoreStatus>;
  findUnserved(): Promise<Unserved>;
  /** Records of any state, oldest first, a few at a time; each few are of one moment. */
  readRecords(): AsyncIterable<readonly StoredRecord[]>;
  /** Compares store, index, change table and counters, as they were at one moment. Writes nothing. */
  verify(onProgress: OnProgress): Promise<Verification>;
  /**
   * Verifies, makes again as a whole each derived structure that has a finding, in short transactions, writes a line of
   * the audit log for each kind of repair, and verifies again. Writes go on meanwhile. What a kill interrupts the next
   * repair completes.
   */
  repair(onProgress: OnProgress): Promise<Repair>;
  /**
   * Copies the store as it is at one moment into a file, which is there whole or not at all; writes go on meanwhile.
   * @param options.force overwrite a file that is there
   * @throws Error with a clear word where the file cannot be written, or is there
   */
  backup(file: string, options: { readonly force: boolean }): Promise<BackupSummary>;
  /**
   * Makes the index beside the store anew, in other parts where they are asked for, while reads and writes go on. What
   * is interrupted goes on with the next call that asks for the same.
   * @param options.shards absent: as many as it has
   * @throws BinderyError FEATURE_UNSUPPORTED where the index is a part of the store, or there is none
   */
  reindex(options: { readonly shards?: number }, onProgress: OnProgress): Promise<Reindexed>;
  /** How far the indexes beside the store are; none where the index is a part of it. */
  indexes(): Promise<readonly IndexStatus[]>;
  /** All that is stored at one moment, by kind and key, for a store that has nothing yet; writes go on meanwhile. */
  dump(): AsyncIterable<StoreRows>;
}
