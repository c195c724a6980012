/** The store: services write only through it. Everything else (index, change feed) is derived from it. */
import type { Actor, Permission } from "../core/actor.js";
import type { AuditEntry, AuditFilter, AuditRow } from "../core/audit-entry.js";
import type { Json } from "../core/json.js";
import type { RawJson, RecordBody, RecordHead, RecordState, StoredRecord, Tombstone } from "../core/record.js";
import type { TermContent } from "../core/term.js";
import type { AssumedTerm, RecordLeaves } from "../query/index-model/leaves.js";
import type { ChangeReader, WebhookReader, WebhookWriter } from "./changes.js";
import type {
  DumpKeeper,
  DumpReader,
  ImportKeeper,
  ImportReader,
  LoadOptions,
  LoadSummary,
  PreparedTerm,
  TermLine,
} from "./loads.js";
import type { TermFinder, TermHistoryKeeper, TermHistoryReader, TermWriter } from "./terms.js";
import type { UserReader, UserRow, UserWriter } from "./users.js";

export type {
  LoadEffect,
  LoadedChange,
  LoadOptions,
  LoadSummary,
  LostFields,
  PreparedTerm,
  Redirect,
  TermLine,
} from "./loads.js";
export type {
  Ancestor,
  Citation,
  ListedTitle,
  NamedTerm,
  TermFinder,
  TermLookup,
  TermReader,
  TermReference,
  TermWithAncestors,
  TermWriter,
} from "./terms.js";
export type { TokenRow, UserReader, UserRow, UserWriter } from "./users.js";

/** A row under a parent, without its body. */
export interface VersionRow {
  readonly id: string;
  readonly state: RecordState;
  /** From 1: `versions.index` of the body. */
  readonly version: number;
  /** Whether it is the latest published version. Always false for drafts. */
  readonly isLatest: boolean;
  /** ISO 8601 UTC. */
  readonly created: string;
}

/** Number of open drafts of a user, and the bytes of their JSON in UTF-8. */
export interface DraftUsage {
  readonly drafts: number;
  readonly bytes: number;
}

/** Read access to records. */
export interface RecordReader {
  get(id: string, state: RecordState): Promise<StoredRecord | undefined>;
  /** Returns the latest published version under a parent. */
  getLatest(parent: string): Promise<StoredRecord | undefined>;
  /**
   * Returns all rows under a parent in the order of their versions; the draft of a version precedes its published row.
   */
  listVersions(parent: string): Promise<readonly VersionRow[]>;
  /** Returns the tombstone of a record; for a parent, that of its newest retracted version. */
  getTombstone(id: string): Promise<Tombstone | undefined>;
  /** Returns the model of the published record or tombstone that has this id, or that has it as its parent. */
  publicModelOf(id: string): Promise<string | undefined>;
  /** Returns the last revision of any state of an id, even after its deletion; 0 if there was none. */
  lastRevision(id: string): Promise<number>;
  /** Returns whether this id was ever given to a record, draft or parent. Ids are never reused. */
  isTaken(id: string): Promise<boolean>;
  /** Counts the drafts and published versions that a user (by id) owns. */
  countOwned(owner: string): Promise<{ readonly drafts: number; readonly published: number }>;
  /** Returns some parents that a user (by id) owns; `draftsOnly`: only those without published versions. */
  ownedParents(
    owner: string,
    options: { readonly limit: number; readonly draftsOnly: boolean },
  ): Promise<readonly string[]>;
}

/** The index data that a store has prepared for metadata. Plain data that can pass between threads. */
export type PreparedIndex = object;

/** Write access to records. */
export interface RecordWriter extends RecordReader {
  /** Returns the draft usage of a user (by id). `isExact` waits for other transactions that check the same user. */
  draftUsage(owner: string, options?: { readonly isExact: boolean }): Promise<DraftUsage>;
  /**
   * Inserts or replaces the row (body.id, body.state), its index and its change row, and returns the stored record.
   * @param index the result of `Store.prepareIndex` for the metadata, so that the transaction only writes. It is
   *   prepared again if a term has changed since.
   */
  put(body: RecordBody<RawJson>, index: PreparedIndex): Promise<StoredRecord>;
  /**
   * Replaces the head of a record that was just read, and writes its change row. Its metadata, its errors and their
   * index data stay the same, so nothing needs to be parsed or analysed.
   * @param head differs only in `updated`, `revision_id`, the owner and the flags of `versions`
   */
  putHead(stored: StoredRecord, head: RecordHead): Promise<void>;
  /** Deletes the row and its index data, and writes the change row. An unknown row is not an error. */
  delete(id: string, state: RecordState): Promise<void>;
  /**
   * Replaces a published record by a tombstone: deletes it, its draft, the shares of the draft, and their index data.
   * The last revision of the id, and that of the change row, become the tombstone's revision.
   */
  bury(tombstone: Tombstone): Promise<void>;
}

/** The record or draft whose content is in a kept answer. */
export interface AnswerSubject {
  readonly id: string;
  readonly state: RecordState;
}

/** The kept answer of a write with an Idempotency-Key. */
export interface KeptAnswer {
  /** Digest of the request. */
  readonly request: string;
  /** Absent: the answer has no content of a record. */
  readonly about?: AnswerSubject;
  readonly outcome: Json;
}

/** Kept answers by token and key, for `LIMITS.idempotencyHours`. */
export interface AnswerKeeper {
  find(token: string, key: string): Promise<KeptAnswer | undefined>;
  keep(token: string, key: string, answer: KeptAnswer): Promise<void>;
  /** Replaces all answers about a record or draft, of all tokens, so that they contain nothing of its body. */
  replaceAbout(about: AnswerSubject, outcome: KeptAnswer["outcome"]): Promise<void>;
}

/** Read access to the audit log. */
export interface AuditReader {
  /** Lists lines, newest first. */
  list(filter: AuditFilter): Promise<readonly AuditRow[]>;
}

/** A share of a draft with a user. */
export interface Share {
  readonly user: UserRow;
  readonly permission: Permission;
  /** ISO 8601 UTC. */
  readonly created: string;
}

/** Read access to the shares of drafts. */
export interface ShareReader {
  /** Returns the permission of a user (by id) for a draft (by id); undefined if it is not shared with the user. */
  permissionOf(draft: string, user: string): Promise<Permission | undefined>;
  /** Lists shares, by name of the user. */
  list(draft: string): Promise<readonly Share[]>;
}

/** Write access to the shares of a draft, which end with the draft. Each write adds a change row for searches. */
export interface ShareWriter extends ShareReader {
  /** Adds a share or changes its permission. */
  put(draft: string, user: string, permission: Permission): Promise<void>;
  /** Returns false if there is no such share. */
  delete(draft: string, user: string): Promise<boolean>;
}

/** A write transaction. */
export interface WriteTransaction {
  /** The start of this transaction: later than every change that was committed before. */
  readonly now: string;
  /** Milliseconds after which a long write should continue in another transaction, because others may wait. */
  readonly holdMs: number;
  readonly shares: ShareWriter;
  readonly answers: AnswerKeeper;
  readonly imports: ImportKeeper;
  readonly dumps: DumpKeeper;
  readonly history: TermHistoryKeeper;
  readonly webhooks: WebhookWriter;
  /** Adds a line to the audit log, which is kept if the transaction commits. */
  audit(actor: Actor, entry: AuditEntry): Promise<void>;
  /** Deletes the oldest lines about refusals, except for this number of lines. */
  dropRefusals(keep: number): Promise<void>;
  readonly records: RecordWriter;
  readonly terms: TermWriter;
  readonly users: UserWriter;
}

/** The expected size of a transaction, so that small ones do not wait for a large one. */
export interface Extent {
  /** Length of the text to write, in UTF-16 units; absent: small. */
  readonly length?: number;
}

/** A store. */
export interface Store {
  readonly records: RecordReader;
  readonly terms: TermFinder;
  readonly users: UserReader;
  readonly shares: ShareReader;
  readonly audit: AuditReader;
  readonly changes: ChangeReader;
  readonly imports: ImportReader;
  readonly dumps: DumpReader;
  readonly history: TermHistoryReader;
  readonly webhooks: WebhookReader;
  /** Prepares the index data of metadata, outside of any transaction. @param terms the terms used for `leaves` */
  prepareIndex(leaves: RecordLeaves, terms: readonly AssumedTerm[]): PreparedIndex;
  /**
   * Prepares lines for a load that has begun, without writing. It may compare them with the stored terms.
   */
  prepareTerms(vocabulary: string, lines: readonly TermLine[]): readonly PreparedTerm[];
  /**
   * Runs `work` in one serializable, durable transaction. An error rolls it back. An engine may retry `work` after a
   * conflict with another transaction, so it must have no other effects than those on `tx`. The engine's `index` shows
   * the writes when this returns. Several waiting transactions may share one commit.
   */
  transaction<T>(work: (tx: WriteTransaction) => Promise<T>, extent?: Extent): Promise<T>;
  /**
   * Loads many terms into one vocabulary: all of them, or none if `items` throws. They become visible at once. Other
   * writes continue meanwhile; only the last moment of a load blocks them. If another write changes the same id, the
   * load wins with the higher revision; a patch only in its fields. Ids that are not in `items` stay, unless it
   * `withdraws`.
   */
  loadTerms(
    vocabulary: string,
    items: AsyncIterable<TermContent | TermLine>,
    options?: LoadOptions,
  ): Promise<LoadSummary>;
  /** Updates the index of all records whose cited terms have changed, if the change of a term left this for later. */
  followTerms(): Promise<void>;
  /** Returns the secret that encrypts the cursors of searches, which all threads and nodes of this store share. */
  cursorKey(): Promise<string>;
  /** Throws if the database does not answer. */
  check(): Promise<void>;
  /**
   * Writes data of the size of a record, durably, and deletes them again. Nothing of it becomes visible.
   * @throws what a write throws, such as STORE_UNAVAILABLE if the disk is full
   */
  checkWrites(): Promise<void>;
  close(): Promise<void>;
}
