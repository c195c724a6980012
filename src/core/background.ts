/** What the service does beside requests, and how its errors are told: nobody waits for it, so nobody would hear. */

import type { BinderyError } from "./errors.js";

/** Authorities that can be asked for single terms while the service runs, by the name that settings use. */
export const LIVE_AUTHORITIES = ["ror", "openaire", "pubchem", "ncbi"] as const;
export type LiveAuthorityName = (typeof LIVE_AUTHORITIES)[number];

/**
 * What became of a question to an authority: it has the id, it has no such id, it answered a search, or it gave no
 * answer that could be used. Answers that are still remembered are no questions.
 */
export const LOOKUP_OUTCOMES = ["found", "missing", "searched", "away"] as const;
export type LookupOutcome = (typeof LOOKUP_OUTCOMES)[number];

/** Background tasks, each with what it does, in words for the log. */
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

/** Tasks whose failure is a warning of its own in `/readyz`, in words for the operator. */
export const WARNED_TASKS: ReadonlySet<string> = new Set<BackgroundTask>(["log", "last-change"]);

/**
 * Why a thread, or a process, of the service was replaced: it ended by itself, needed too much memory, showed no sign
 * of life, or took too long with a call that may end it.
 */
export const THREAD_ENDS = ["stopped", "memory", "silent", "late"] as const;
export type ThreadEnd = (typeof THREAD_ENDS)[number];

/** News of a thread or process that the service supervises. */
export type ThreadEvent =
  /** It answers: for the first time, or again. */
  | { readonly kind: "ready" }
  /** It has shown no sign of life for a while, and is replaced if that goes on. */
  | { readonly kind: "silent" }
  /** It ended, and is being replaced. */
  | { readonly kind: "ended"; readonly reason: ThreadEnd }
  /** It did not answer a call in time. */
  | { readonly kind: "expired" };

/** Gets the outcome of background work. Calling it is cheap and never throws: repeated errors are only counted. */
export interface BackgroundReporter {
  onBackgroundError(task: BackgroundTask, error: unknown): void;
  /** The task did what it had to do: an earlier error of it is over. */
  onBackgroundSuccess(task: BackgroundTask): void;
  /** Something stored is damaged: what a request, or a task, was refused with. */
  onDamage(error: BinderyError): void;
  /** An authority was asked for terms: to be counted. */
  onLookup(authority: LiveAuthorityName, outcome: LookupOutcome): void;
  /** A thread that this one supervises has news. @param thread its name: "preparing" */
  onThread(thread: string, event: ThreadEvent): void;
}

/** Emits a warning of the process for each error: for programs (tests, scripts) that have no log. */
export const WARNING_REPORTER: BackgroundReporter = {
  onBackgroundError: (task, error) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.emitWarning(`${BACKGROUND_TASKS[task]} failed: ${text}`);
  },
  onBackgroundSuccess: () => undefined,
  onDamage: (error) => process.emitWarning(error.message),
  onLookup: () => undefined,
  onThread: () => undefined,
};

/** A background task that fails. Instants are ISO 8601 UTC. */
export interface BackgroundFailure {
  readonly task: BackgroundTask;
  /** The thread, or the process and its thread, that does it. */
  readonly source: string;
  /** Of the last error; of one that is not in the catalogue only that the log has it. */
  readonly message: string;
  readonly first: string;
  readonly last: string;
  /** Errors since it last succeeded. */
  readonly times: number;
}

/** Something stored that is not what was written. */
export interface Damage {
  /** `part` and `reason` of its STORE_DAMAGED. */
  readonly part: string;
  readonly reason: string;
  /** Id of the record. Without it and `row` the file itself is damaged, and nothing is written any more. */
  readonly record?: string | undefined;
  /** Id of another row: of a token, a term, a webhook. */
  readonly row?: string | undefined;
  /** When it was noticed: ISO 8601 UTC. */
  readonly since: string;
}

/** The check of the whole database after a stop that was not clean. */
export interface IntegrityCheck {
  readonly state: "running" | "passed" | "failed";
  /** Which of the two checks SQLite ran, what it found and how long it took; absent: it runs still. */
  readonly kind?: "integrity_check" | "quick_check";
  readonly problems?: number;
  readonly seconds?: number;
}

/** Why nothing can be written, and what the operator can do about it. */
export interface RefusedWrites {
  readonly reason: string;
  readonly cure?: string | undefined;
}

/** A thread, or a process, that does not answer now. */
export interface AwayThread {
  readonly thread: string;
  /** The thread, or the process and its thread, as the log names it. */
  readonly source: string;
  /** `silent`: it still runs, but shows no sign of life. Otherwise it ended so, and is being replaced. */
  readonly reason: ThreadEnd;
  readonly isEnded: boolean;
  /** ISO 8601 UTC. */
  readonly since: string;
}

/** What `/readyz` tells. */
export interface ServiceState {
  /** Absent: as far as is known, writes work. */
  readonly refusedWrites?: RefusedWrites;
  readonly damages: readonly Damage[];
  /** Absent: none was needed. */
  readonly integrity?: IntegrityCheck;
  /** Threads and processes that do not answer now. */
  readonly awayThreads: readonly AwayThread[];
  /** Tasks whose last run failed. */
  readonly failures: readonly BackgroundFailure[];
}
