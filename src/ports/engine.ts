import type { DataChanges } from "./changes.js";
import type { SearchIndex } from "./search-index.js";
import type { Store } from "./store.js";
import type { StoreAdmin } from "./store-admin.js";

/** Reasons to retry a transaction. */
export type RetryReason = "deadlock" | "serialization" | "conflict";

/** Statistics of an engine on a shared database, since it was opened. */
export interface StoreStats {
  /** Number of tasks that wait for a connection now. */
  readonly waiting: number;
  /** Numbers of retries of transactions. */
  readonly retries: Readonly<Record<RetryReason, number>>;
  /** Commits of transactions: each waits for concurrent commits, and for the disk of the database. */
  readonly commits: { readonly count: number; readonly seconds: number };
}

/** A store and its search index, which are opened and closed together. */
export interface Engine {
  readonly store: Store;
  readonly index: SearchIndex;
  /** Operations of operators on the whole store. */
  readonly admin: StoreAdmin;
  /** For caches of public answers. */
  readonly dataChanges: DataChanges;
  /** Whether a new, empty store was created. */
  readonly isNew?: boolean;
  /** For an engine that several nodes share; absent: one process serves the store. */
  readonly leadership?: Leadership;
  /** Returns the seconds by which the clock of this machine is ahead of the store's; absent: the store has no clock. */
  readonly clockOffset?: () => Promise<number>;
  /** Absent: the store is not shared. */
  readonly storeStats?: () => StoreStats;
  close(): Promise<void>;
}

/** Election of a leader for a task among the processes that serve one store. */
export interface Leadership {
  /**
   * Waits until this process is the leader.
   * @param task `webhooks` or `search-index`
   * @param signal aborts the wait; then returns undefined
   */
  lead(task: string, signal: AbortSignal): Promise<Lead | undefined>;
}

/** The leadership of a task. Another process can become the leader after it is given back or lost. */
export interface Lead {
  /** Aborted when the connection that holds the leadership is lost. The task must stop then. */
  readonly lost: AbortSignal;
  giveBack(): Promise<void>;
}
