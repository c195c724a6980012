import type { Leadership } from "./leadership.js";
import type { PublicChanges } from "./public-changes.js";
import type { SearchIndex } from "./search-index.js";
import type { Store } from "./store.js";
import type { StoreAdmin } from "./store-admin.js";

/** Why a transaction was run again. */
export type RetryReason = "deadlock" | "serialization" | "conflict";

/** What an engine has met at a database that others share, since it was opened. */
export interface StoreStats {
  /** Whoever waits for a connection now. */
  readonly waiting: number;
  /** Transactions that were run again. */
  readonly retries: Readonly<Record<RetryReason, number>>;
  /** Ends of transactions: each waits for others that end, and for the disk of the database. */
  readonly commits: { readonly count: number; readonly seconds: number };
}

/** A store and the index that answers for it, opened together and closed together. */
export interface Engine {
  readonly store: Store;
  readonly index: SearchIndex;
  /** For operators, on the store as a whole. */
  readonly admin: StoreAdmin;
  /** For whoever keeps public answers. */
  readonly publicChanges: PublicChanges;
  /** Did opening it make a new, empty store? */
  readonly isNew?: boolean;
  /** Of an engine that several nodes share; absent: whoever serves the store serves it alone. */
  readonly leadership?: Leadership;
  /** Seconds by which the clock of this machine is ahead of that of the store; absent: it has none of its own. */
  readonly clockOffset?: () => Promise<number>;
  /** Absent: nobody shares the store. */
  readonly storeStats?: () => StoreStats;
  close(): Promise<void>;
}
