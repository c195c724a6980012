/** Operations of an operator on a whole store, and the rows in which all its data are copied to another one. */
import type { StoredRecord } from "../core/record.js";
import type { DraftUsage } from "./store.js";

/**
 * The place of an inconsistency: inside the stored data, inside the index, or between index and stored data. Only the
 * first one can be a loss of data, because an index can be rebuilt.
 */
export type FindingPlace = "store" | "index" | "between";

/** An inconsistency between data and the data from which they are derived. */
export interface Finding {
  readonly place: FindingPlace;
  /** The check that found it: `record.columns`, `index.text`, `changes.order` ... */
  readonly check: string;
  /** The object: a record `zv0gv-btp27 (published)`, a term `organisms/taxid:562`, a table. */
  readonly where: string;
  readonly expected: string;
  readonly found: string;
  /** Whether it can be rebuilt from stored data. */
  readonly isMendable: boolean;
}

/** The result of a verification. */
export interface Verification {
  readonly records: number;
  readonly terms: number;
  readonly changes: number;
  /** Number of the last change of the snapshot. */
  readonly lastChange: number;
  /** The first `LIMITS.findingsMax`. */
  readonly findings: readonly Finding[];
  /** Numbers of all inconsistencies, by check. */
  readonly counts: Readonly<Record<string, number>>;
  /** Names of vocabularies that are not compared, because their index belongs to another catalog or version. */
  readonly leftOut: readonly string[];
  /** Notes about other data that are not compared, with the reason. They are not inconsistencies. */
  readonly notes: readonly string[];
}

/** The result of a repair: the verifications before and after it, and the number of repairs of each kind. */
export interface Repair {
  readonly before: Verification;
  readonly repaired: Readonly<Record<string, number>>;
  readonly after: Verification;
}

/** The progress of a long task. `of` is the total, or 0 if it is unknown. */
export interface Progress {
  readonly what: string;
  readonly done: number;
  readonly of: number;
}

/** Receives the progress of a task. */
export type OnProgress = (progress: Progress) => void;

/** A copy of a snapshot of the store. */
export interface BackupSummary {
  readonly file: string;
  readonly bytes: number;
  readonly records: number;
  readonly terms: number;
  readonly lastChange: number;
  /** Ids of records that are damaged in the store and therefore in the copy. */
  readonly damaged: readonly string[];
  /** Why the backup could not be recorded in the store; absent: it was recorded. */
  readonly unnoted?: string;
}

/** The record of a backup. */
export interface BackupNote {
  /** ISO 8601 UTC: when it was complete. */
  readonly time: string;
  /** Absolute path of the file. */
  readonly file: string;
  readonly bytes: number;
  /** Number of the last change in it. */
  readonly lastChange: number;
}

/** Number of users that a status lists by the size of their drafts. */
export const LARGEST_USERS = 5;

/** A user (by name) with their draft usage. */
export interface LargestUser extends DraftUsage {
  readonly user: string;
}

/** The state and content of a store. It is fast, because nothing is compared. */
export interface StoreStatus {
  /** Versions of its tables, and of the text analysis with which its index was built. */
  readonly schema: number;
  readonly analysis?: number;
  readonly bytes: number;
  /** For a data folder: the size of the write-ahead log, and the free space on the disk. */
  readonly logBytes?: number;
  readonly diskFreeBytes?: number | undefined;
  /** Numbers by model, ordered by name. `published` counts latest versions. */
  readonly models: readonly {
    readonly name: string;
    readonly published: number;
    readonly olderVersions: number;
    readonly drafts: number;
  }[];
  readonly vocabularies: readonly { readonly name: string; readonly terms: number }[];
  /** Users with drafts, the largest first, at most `LARGEST_USERS`. */
  readonly largestUsers: readonly LargestUser[];
  /** The last change of a record, draft or term; absent: there was none. `time`: ISO 8601 UTC. */
  readonly lastChange?: { readonly seq: number; readonly time: string } | undefined;
  /** Absent: no backup is known. */
  readonly lastBackup?: BackupNote | undefined;
}

/** Stored data of models and vocabularies that are not in the catalog, by name. */
export interface Unserved {
  readonly models: readonly { readonly name: string; readonly published: number; readonly drafts: number }[];
  readonly vocabularies: readonly { readonly name: string; readonly items: number }[];
}

/** The result of a reindex. */
export interface Reindexed {
  /** The index that searches use now. */
  readonly name: string;
  /** Whether it completed an index that an earlier reindex had begun. */
  readonly wasResumed: boolean;
}

/** The state of a separate index. */
export interface IndexStatus {
  readonly name: string;
  /** Whether it is the index that searches use. */
  readonly isCurrent: boolean;
  /** Whether it is being built. */
  readonly isFilling: boolean;
  /** Number of changes missing from the index, including those of drafts, and the age of the oldest one. */
  readonly behindChanges: number;
  readonly behindSeconds: number;
  /** The same for public changes only, which everybody may know. */
  readonly behindPublicChanges: number;
  readonly behindPublicSeconds: number;
  /** Number of records and terms that it rejects. Searches evaluate them outside of the index. */
  readonly refused: number;
  /** Address of the service that feeds the indexes, as the database sees it; null: none does now. */
  readonly fedFrom: string | null;
  /**
   * More changes are missing than searches can evaluate themselves, so answers may lack changes. Absent: they are
   * exact.
   */
  readonly isFarBehind?: boolean;
}

/** Administration of a store. */
export interface StoreAdmin {
  status(): Promise<StoreStatus>;
  findUnserved(): Promise<Unserved>;
  /** Reads all records in any state, oldest first, in batches. Each batch is read from one snapshot. */
  readRecords(): AsyncIterable<readonly StoredRecord[]>;
  /** Compares store, index, change table and counters in one snapshot. Writes nothing. */
  verify(onProgress: OnProgress): Promise<Verification>;
  /**
   * Verifies, rebuilds each derived structure that has a finding, in short transactions, adds an audit entry for each
   * kind of repair, and verifies again. Other writes continue meanwhile. The next repair completes an interrupted one.
   */
  repair(onProgress: OnProgress): Promise<Repair>;
  /**
   * Copies a snapshot of the store into a file, while writes continue. An incomplete file is never left behind.
   * @param options.force overwrites an existing file
   * @throws Error for the operator if the file exists or cannot be written
   */
  backup(file: string, options: { readonly force: boolean }): Promise<BackupSummary>;
  /**
   * Rebuilds the separate index, optionally with another number of shards, while reads and writes continue. The next
   * call with the same options continues an interrupted one.
   * @param options.shards absent: the current number
   * @throws BinderyError FEATURE_UNSUPPORTED if the index is a part of the store, or there is none
   */
  reindex(options: { readonly shards?: number }, onProgress: OnProgress): Promise<Reindexed>;
  /** Returns the state of the separate indexes; none if the index is a part of the store. */
  indexes(): Promise<readonly IndexStatus[]>;
  /**
   * Reads a snapshot of all stored data, by kind and key, to load it into an empty store. Writes continue meanwhile.
   */
  dump(): AsyncIterable<StoreRows>;
}

/**
 * Kinds of rows in the order of a store dump, with the names of their values. The values of the key come first, and
 * the rows of a kind are sorted by key. Texts such as `json` and `title` are JSON as stored. The numbers of imports and
 * loads come before the terms, because a store that assigns its own numbers must know them. `counter` has the last
 * number of users, tokens, audit entries, webhooks, deliveries and records, because numbers of deleted ones are never
 * reused.
 */
export const STORE_ROWS = {
  counter: ["name", "last"],
  user: ["id", "name", "role", "created", "disabled"],
  token: ["id", "user", "name", "scopes", "digest", "created", "expires", "revoked", "last_used", "parent"],
  change: ["seq", "time", "kind", "action", "place", "id", "state", "revision", "shown"],
  change_term: ["import", "n", "id", "action", "revision"],
  term_source: ["vocabulary", "name", "bit"],
  term_load: ["id", "vocabulary", "source", "time"],
  term: ["vocabulary", "ext", "parent", "title", "rest", "created", "revision", "sources"],
  redirect: ["vocabulary", "ext", "successor"],
  life: ["vocabulary", "ext", "revision", "state", "successor"],
  term_history: ["id", "vocabulary", "ext", "revision", "action", "load", "time", "user", "who", "changes"],
  authority_dump: ["vocabulary", "authority", "release", "file", "sha256", "bytes", "loaded"],
  record: ["row", "json"],
  tombstone: ["id", "parent", "model", "owner", "version", "revision", "removed", "json"],
  taken: ["id", "revision"],
  access: ["pid", "user", "permission", "created"],
  imported: ["model", "owner", "key", "pid", "digest"],
  answer: ["token", "key", "request", "time", "outcome"],
  audit: [
    "id",
    "time",
    "user",
    "token",
    "who",
    "action",
    "kind",
    "place",
    "target",
    "revision",
    "whom",
    "outcome",
    "times",
  ],
  webhook: ["id", "url", "secret", "filter", "created", "place", "delivered", "failed", "error"],
  delivery: ["id", "webhook", "seq", "entry", "subject", "change", "state", "attempts", "due", "error", "failed"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Name of a kind of rows in a store dump. */
export type StoreRowKind = keyof typeof STORE_ROWS;

/** All kinds of rows in the order of a store dump. */
export const STORE_ROW_KINDS = Object.keys(STORE_ROWS) as readonly StoreRowKind[];

/** A value in a row of a store dump. */
export type StoreValue = string | number | null;

/** A batch of rows of one kind, with values in the order of `STORE_ROWS`. */
export interface StoreRows {
  readonly kind: StoreRowKind;
  readonly rows: readonly (readonly StoreValue[])[];
}
