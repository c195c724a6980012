import type { ErrorCode } from "../../core/errors.js";
import type { Issue, Warning } from "../../core/issue.js";
import type { PreparedIndex, TermReference } from "../../ports/store.js";

/** What is to be prepared: the text of a request's body, or that of a stored record. */
export interface PrepareJob {
  readonly model: string;
  readonly text: string;
  readonly isStored?: boolean;
}

/** Metadata as it will be stored, with its index. */
export interface Ready {
  readonly kind: "ready";
  /** JSON text. */
  readonly metadata: string;
  readonly index: PreparedIndex;
  readonly issues: readonly Issue[];
  readonly warnings: readonly Warning[];
  /** The terms that were looked up, and a digest of what was found: they may have changed since. */
  readonly asked: readonly TermReference[];
  readonly found: string;
}

/** What was prepared before its transaction, or why it could not be. Plain data, which passes between threads. */
export type Prepared =
  | Ready
  | { readonly kind: "failed"; readonly code: ErrorCode; readonly params: Readonly<Record<string, unknown>> };

/** For the thread that prepares long bodies for the writer. */
export interface PrepareServices {
  /** Reads, fills in, validates and analyses metadata outside of any transaction. A client's faults are an answer. */
  prepareRecord(job: PrepareJob): Promise<Prepared>;
}
