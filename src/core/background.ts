/**
 * Reports of the service about its own health: background tasks, events of threads, damaged data, and the state that
 * `/readyz` returns.
 */

import type { CacheUsage } from "./caches.js";
import type { BinderyError } from "./errors.js";

/** Authorities that can be queried for single terms while the service runs, by their names in settings. */
export const LIVE_AUTHORITIES = ["ror", "openaire", "pubchem", "ncbi"] as const;
export type LiveAuthorityName = (typeof LIVE_AUTHORITIES)[number];

/**
 * Outcomes of a request to an authority: it has the id, it has no such id, it answered a search, or it gave no usable
 * answer. Cached answers are not counted.
 */
export const LOOKUP_OUTCOMES = ["found", "missing", "searched", "unavailable"] as const;
export type LookupOutcome = (typeof LOOKUP_OUTCOMES)[number];

/** Background tasks, with a description for the log. */
export const BACKGROUND_TASKS = {
  writes: "Writing into the store",
  log: "Writing the log",
  "record-index": "Indexing records again after a change of their model",
  "index-merge": "Merging segments of the full-text index",
  "wal-checkpoint": "Writing the write-ahead log back into the database",
  "vocabulary-maintenance": "Rebuilding vocabularies, and removing what unfinished imports left",
  "warm-up": "Reading ahead what searches will ask for",
  "index-load": "Reading sets and columns of the index for a search",
  "change-feed": "Looking for new changes on behalf of requests that wait for one",
  webhooks: "Delivering changes to webhooks",
  clock: "Comparing the clock of this machine with that of the database",
  "last-change": "Comparing the time of the last change with the clock",
  "search-index": "Feeding the search index from the store",
  "audit-log": "Writing refused requests to the audit log",
  checksums: "Adding checksums to records that were stored without",
  "word-sweep": "Removing words that no record has any more",
  "integrity-check": "Checking the database after a stop that was not clean",
  "token-use": "Noting the day on which a token was used",
  "lookup-ror": "Asking ROR for organisations that are not loaded",
  "lookup-openaire": "Asking OpenAIRE for projects that are not loaded",
  "lookup-pubchem": "Asking PubChem for compounds that are not loaded",
  "lookup-ncbi": "Asking NCBI for taxa that are not loaded",
} as const;

export type BackgroundTask = keyof typeof BACKGROUND_TASKS;

/** Tasks whose failure has its own warning in `/readyz`. */
export const WARNED_TASKS: ReadonlySet<string> = new Set<BackgroundTask>(["log", "last-change"]);

/**
 * Reasons for the replacement of a thread or process: it stopped by itself, needed too much memory, did not respond, or
 * exceeded the time limit of a call.
 */
export const THREAD_ENDS = ["stopped", "memory", "silent", "late"] as const;
export type ThreadEnd = (typeof THREAD_ENDS)[number];

/** An event of a supervised thread or process. */
export type ThreadEvent =
  /** It responds, for the first time or again. */
  | { readonly kind: "ready" }
  /** It has not responded for a while, and will be replaced if this continues. */
  | { readonly kind: "silent" }
  /** It has ended and is being replaced. */
  | { readonly kind: "ended"; readonly reason: ThreadEnd }
  /** It did not answer a call in time. */
  | { readonly kind: "expired" };

/** Receives the outcomes of background tasks. Calls are cheap and never throw; repeated errors are only counted. */
export interface BackgroundReporter {
  onBackgroundError(task: BackgroundTask, error: unknown): void;
  /** Reports that a task succeeded, which ends an earlier error. */
  onBackgroundSuccess(task: BackgroundTask): void;
  /** Reports stored data that are damaged, with the error of the request or task. */
  onDamage(error: BinderyError): void;
  /** Counts a request to an authority. */
  onLookup(authority: LiveAuthorityName, outcome: LookupOutcome): void;
  /** Reports an event of a thread that this thread supervises. @param thread its name: "preparing" */
  onThread(thread: string, event: ThreadEvent): void;
  /**
   * Reports the memory of the caches of this thread, or of another one.
   * @param thread name of another thread, which this thread started and reports for
   */
  onCaches(usage: readonly CacheUsage[], thread?: string): void;
}

/** Emits a process warning for each error, for programs without a log (tests, scripts). */
export const WARNING_REPORTER: BackgroundReporter = {
  onBackgroundError: (task, error) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.emitWarning(`${BACKGROUND_TASKS[task]} failed: ${text}`);
  },
  onBackgroundSuccess: () => undefined,
  onDamage: (error) => process.emitWarning(error.message),
  onLookup: () => undefined,
  onThread: () => undefined,
  onCaches: () => undefined,
};

/** A background task that fails. Instants are ISO 8601 UTC. */
export interface BackgroundFailure {
  readonly task: BackgroundTask;
  /** The thread, or the process and its thread, that runs the task. */
  readonly source: string;
  /** Message of the last error; for an error that is not in the catalogue it only refers to the log. */
  readonly message: string;
  readonly first: string;
  readonly last: string;
  /** Number of errors since the last success. */
  readonly times: number;
}

/** Damage of stored data. */
export interface Damage {
  /** `part` and `reason` of its STORE_DAMAGED. */
  readonly part: string;
  readonly reason: string;
  /** Id of the record. If both this and `row` are absent, the file itself is damaged and writes are refused. */
  readonly record?: string | undefined;
  /** Id of another row, such as a token, a term or a webhook. */
  readonly row?: string | undefined;
  /** Time of its detection, ISO 8601 UTC. */
  readonly since: string;
}

/** The check of the whole database after an unclean stop. */
export interface IntegrityCheck {
  readonly state: "running" | "passed" | "failed";
  /** The check that SQLite ran, its number of problems and its duration; absent while it runs. */
  readonly kind?: "integrity_check" | "quick_check";
  readonly problems?: number;
  readonly seconds?: number;
}

/** Why writes are refused, and what the operator can do about it. */
export interface RefusedWrites {
  readonly reason: string;
  readonly cure?: string | undefined;
}

/** A thread or process that does not respond. */
export interface UnavailableThread {
  readonly thread: string;
  /** Name of the thread, or of the process and its thread, in the log. */
  readonly source: string;
  /** `silent`: it still runs, but does not respond. Other reasons: it has ended and is being replaced. */
  readonly reason: ThreadEnd;
  readonly isEnded: boolean;
  /** ISO 8601 UTC. */
  readonly since: string;
}

/** The state that `/readyz` reports. */
export interface ServiceState {
  /** Absent if writes work, as far as is known. */
  readonly refusedWrites?: RefusedWrites | undefined;
  readonly damages: readonly Damage[];
  /** Absent if no check was needed. */
  readonly integrity?: IntegrityCheck | undefined;
  /** Threads and processes that do not respond. */
  readonly unavailableThreads: readonly UnavailableThread[];
  /** Tasks whose last run failed. */
  readonly failures: readonly BackgroundFailure[];
}
