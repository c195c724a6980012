/** What the service does beside requests, and how its errors are told: nobody waits for it, so nobody would hear. */

/** Background tasks, each with what it does, in words for the log. */
export const BACKGROUND_TASKS = {
  "record-index": "Indexing records again after a change of their model",
  "index-merge": "Merging segments of the full-text index",
  "wal-checkpoint": "Writing the write-ahead log back into the database",
  "vocabulary-upkeep": "Rebuilding vocabularies, and removing what unfinished imports left",
  "warm-up": "Reading ahead what searches will ask for",
  "index-load": "Reading sets and columns of the index for a search",
  "change-feed": "Looking for new changes on behalf of requests that wait for one",
  webhooks: "Delivering changes to webhooks",
  "audit-log": "Writing refused requests to the audit log",
  "token-use": "Noting the day on which a token was used",
} as const;

export type BackgroundTask = keyof typeof BACKGROUND_TASKS;

/** Gets the outcome of background work. Calling it is cheap and never throws: repeated errors are only counted. */
export interface BackgroundReporter {
  onBackgroundError(task: BackgroundTask, error: unknown): void;
  /** The task did what it had to do: an earlier error of it is over. */
  onBackgroundSuccess(task: BackgroundTask): void;
}

/** Emits a warning of the process for each error: for programs (tests, scripts) that have no log. */
export const WARNING_REPORTER: BackgroundReporter = {
  onBackgroundError: (task, error) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.emitWarning(`${BACKGROUND_TASKS[task]} failed: ${text}`);
  },
  onBackgroundSuccess: () => undefined,
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

/** What `/readyz` tells of a service that answers. */
export interface ServiceState {
  /** Tasks whose last run failed. */
  readonly failures: readonly BackgroundFailure[];
}
