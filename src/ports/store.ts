/** The store: the only way in which a service writes. Everything else (index, change feed) follows from it. */
import type { Actor, Permission } from "../core/actor.js";
import type { AuditEntry, AuditFilter, AuditRow } from "../core/audit-entry.js";
import type { Json } from "../core/json.js";
import type { RawJson, RecordBody, RecordHead, RecordState, StoredRecord } from "../core/record.js";
import type { TermContent } from "../core/term.js";
import type { Tombstone } from "../core/tombstone.js";
import type { AssumedTerm, RecordLeaves } from "../query/index-model/leaves.js";
import type { ChangeReader } from "./change-reader.js";
import type { DumpKeeper, DumpReader } from "./dumps.js";
import type { ImportKeeper, ImportReader } from "./imports.js";
import type { LoadOptions, LoadSummary, PreparedTerm, TermLine } from "./loads.js";
import type { TermHistoryKeeper, TermHistoryReader } from "./term-history.js";
import type { TermFinder, TermWriter } from "./terms.js";
import type { UserReader, UserRow, UserWriter } from "./users.js";
import type { WebhookReader, WebhookWriter } from "./webhooks.js";

export type {
  ChangedItem,
  LoadedItem,
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
  PlacedTerm,
  TermFinder,
  TermLookup,
  TermReader,
  TermReference,
  TermWriter,
} from "./terms.js";
export type { TokenRow, UserReader, UserRow, UserWriter } from "./users.js";

/** A row under a parent, without its body. */
export interface VersionRow {
  readonly id: string;
  readonly state: RecordState;
  /** From 1: `versions.index` of the body. */
  readonly version: number;
  /** Is it the latest published one? Never of a draft. */
  readonly isLatest: boolean;
  /** ISO 8601 UTC. */
  readonly created: string;
}

/** Number of open drafts of a user, and the bytes of their JSON in UTF-8. */
export interface DraftUsage {
  readonly drafts: number;
  readonly bytes: number;
}

export interface RecordReader {
  get(id: string, state: RecordState): Promise<StoredRecord | undefined>;
  /** The latest published version of the records under a parent id. */
  latestOf(parent: string): Promise<StoredRecord | undefined>;
  /** All rows under a parent in the order of their versions, the draft of a version before what is published of it. */
  versionsOf(parent: string): Promise<readonly VersionRow[]>;
  /** The tombstone of an id; of a parent that of its newest retracted version. */
  tombstoneOf(id: string): Promise<Tombstone | undefined>;
  /** Returns the model of the published record or tombstone that has this id, or that has it as its parent. */
  publicModelOf(id: string): Promise<string | undefined>;
  /** The counter of an id: the revision that anything under it last had, also after it was removed; 0 for none. */
  lastRevision(id: string): Promise<number>;
  /** Is this id taken, by any state or as a parent? Ids are never given twice. */
  isTaken(id: string): Promise<boolean>;
  /** How many drafts and published versions a user (by id) owns. */
  countOwned(owner: string): Promise<{ readonly drafts: number; readonly published: number }>;
  /** Some parents of what a user (by id) owns; `draftsOnly`: those under which nothing is published. */
  ownedParents(
    owner: string,
    options: { readonly limit: number; readonly draftsOnly: boolean },
  ): Promise<readonly string[]>;
}

/** What a store made of metadata to write it into its index. Plain data, which passes between threads. */
export type PreparedIndex = object;

export interface RecordWriter extends RecordReader {
  /** Returns the draft usage of a user (by id). `isExact` waits for other transactions that check the same user. */
  draftUsage(owner: string, options?: { readonly isExact: boolean }): Promise<DraftUsage>;
  /**
   * Inserts or replaces the row (body.id, body.state), its index and its change row, and gives back what is stored.
   * @param index what `Store.prepareIndex` made of the metadata, so that the transaction only writes. It is made again
   *   where a term that it was made with is another one by now.
   */
  put(body: RecordBody<RawJson>, index: PreparedIndex): Promise<StoredRecord>;
  /**
   * Writes another head over a record that was just read, and its change row. Its metadata, its errors and what the
   * index holds of them stay as they are, so nothing of them has to be parsed or analysed.
   * @param head differs in `updated`, `revision_id`, the owner and the flags of `versions` at most
   */
  putHead(stored: StoredRecord, head: RecordHead): Promise<void>;
  /** Removes the row, its index, and writes the change row. Unknown rows are no error. */
  delete(id: string, state: RecordState): Promise<void>;
  /**
   * Puts a tombstone in the place of a published record: removes it, its draft, what is shared of that and their
   * index. The id's counter goes up to the tombstone's revision, which its change row has too.
   */
  bury(tombstone: Tombstone): Promise<void>;
}

/** A record or draft whose content an answer has. */
export interface AnswerSubject {
  readonly id: string;
  readonly state: RecordState;
}

/** What a write with an Idempotency-Key answered; `outcome` is a value that can be JSON. */
export interface KeptAnswer {
  /** Digest of what was asked. */
  readonly request: string;
  /** Absent: the answer has no content of a record. */
  readonly about?: AnswerSubject;
  readonly outcome: Json;
}

/** Answers by token and key, for `LIMITS.idempotencyHours`. */
export interface AnswerKeeper {
  find(token: string, key: string): Promise<KeptAnswer | undefined>;
  keep(token: string, key: string, answer: KeptAnswer): Promise<void>;
  /** Replaces all answers about a record or draft, of all tokens, so that nothing of its body is left in them. */
  replaceAbout(about: AnswerSubject, outcome: KeptAnswer["outcome"]): Promise<void>;
}

export interface AuditReader {
  /** Newest first. */
  list(filter: AuditFilter): Promise<readonly AuditRow[]>;
}

export interface Share {
  readonly user: UserRow;
  readonly permission: Permission;
  /** ISO 8601 UTC. */
  readonly created: string;
}

export interface ShareReader {
  /** What the user (by id) may do with the draft (by id); undefined: it is not shared with them. */
  permissionOf(draft: string, user: string): Promise<Permission | undefined>;
  /** By name of the user. */
  list(draft: string): Promise<readonly Share[]>;
}

/** Shares of a draft; they end with it. Each writes a change row: a search must see it. */
export interface ShareWriter extends ShareReader {
  /** Adds a share or changes what it permits. */
  put(draft: string, user: string, permission: Permission): Promise<void>;
  /** False where there is none. */
  delete(draft: string, user: string): Promise<boolean>;
}

export interface WriteTransaction {
  /** The instant of this transaction, taken as it begins: later than every change committed before that. */
  readonly now: string;
  /** Who writes much ends it after so many milliseconds, and goes on in another: others may wait for it. */
  readonly holdMs: number;
  readonly shares: ShareWriter;
  readonly answers: AnswerKeeper;
  readonly imports: ImportKeeper;
  readonly dumps: DumpKeeper;
  readonly history: TermHistoryKeeper;
  readonly webhooks: WebhookWriter;
  /** Writes a line of the audit log: it is kept if the transaction is. */
  audit(actor: Actor, entry: AuditEntry): Promise<void>;
  /** Removes the oldest lines about refusals, but for this many. */
  dropRefusals(keep: number): Promise<void>;
  readonly records: RecordWriter;
  readonly terms: TermWriter;
  readonly users: UserWriter;
}

/** How much a transaction writes, as far as is known before: small ones are not made to wait for a large one. */
export interface Extent {
  /** Of the text that it writes, in UTF-16 units; absent: little. */
  readonly length?: number;
}

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
  /** Makes what the index holds of metadata, outside of any transaction. @param terms what `leaves` were made with */
  prepareIndex(leaves: RecordLeaves, terms: readonly AssumedTerm[]): PreparedIndex;
  /**
   * Does ahead what a load does with lines and writes nothing, for one that has begun: it may compare them with what is
   * stored by now.
   */
  prepareTerms(vocabulary: string, lines: readonly TermLine[]): readonly PreparedTerm[];
  /**
   * Runs `work` as if alone, in one durable transaction; a throw rolls all of it back. An engine may run `work` again
   * where it met another transaction: it must have no effects but those on `tx`. What was written is visible to the
   * engine's `index` when this returns. Several that wait may share one commit.
   */
  transaction<T>(work: (tx: WriteTransaction) => Promise<T>, extent?: Extent): Promise<T>;
  /**
   * Loads many items into one vocabulary: all of them or, when `items` throws, none. They become visible at once, and
   * meanwhile others write: all but the last moment of a load holds nothing that a deposit waits for. Where a write
   * made meanwhile changed the same id, the load wins with the higher revision; of a patch only in the fields that it
   * names. Ids that `items` lacks stay, unless it `withdraws`.
   */
  loadTerms(
    vocabulary: string,
    items: AsyncIterable<TermContent | TermLine>,
    options?: LoadOptions,
  ): Promise<LoadSummary>;
  /** Has the index of all records follow the terms that they cite, where a change of a term left that for later. */
  followTerms(): Promise<void>;
  /** Returns the secret that encrypts the cursors of searches: the same for all threads and nodes of this store. */
  cursorKey(): Promise<string>;
  /** Throws when the database does not answer. */
  check(): Promise<void>;
  /**
   * Writes about as much as a record takes, durably, and takes it away again: nothing of it can be seen.
   * @throws what a write throws, so STORE_UNAVAILABLE where the disk is full
   */
  checkWrites(): Promise<void>;
  close(): Promise<void>;
}
