import type { FeedChange } from "../ports/changes.js";

export type { FeedChange };

/** Cursors are those of the change feed; `0` is before all changes. */
export interface ChangesRequest {
  readonly since: string;
  readonly size: number;
  /** Nothing after this cursor. */
  readonly until?: string;
}

export interface ChangesAnswer {
  readonly changes: readonly FeedChange[];
  /** The cursor to go on with; always there. */
  readonly next: string;
  /** Was there nothing more when the page was read? */
  readonly isEnd: boolean;
}

/** A request that waits for a change. */
export interface ChangeWait {
  readonly since: string;
  readonly waitMs: number;
  /** For whom it counts: a user, or an address. */
  readonly caller: string;
}

/** Of the change feed, which is public. */
export interface ChangeServices {
  /** @throws CHANGE_CURSOR_INVALID, CHANGE_CURSOR_GONE */
  readChanges(request: ChangesRequest): Promise<ChangesAnswer>;
  /** The cursor after the last change. */
  readChangeHead(): Promise<string>;
  /**
   * Returns true when something changed after a cursor at which nothing followed, after `waitMs`, or when the signal
   * says that nobody waits any more; and false at once where too many wait already, or too many of this caller's. (It
   * runs where it is called: a signal cannot be posted.) @throws CHANGE_CURSOR_INVALID
   */
  awaitChange(wait: ChangeWait, signal: AbortSignal): Promise<boolean>;
}
