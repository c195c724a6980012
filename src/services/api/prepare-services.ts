import type { ErrorCode } from "../../core/errors.js";
import type { Issue, Warning } from "../../core/issue.js";
import type { PreparedIndex, TermReference } from "../../ports/store.js";

/** What an authority said of an id that metadata cite and no term has. */
export interface LookedUp extends TermReference {
  /** Its title, for messages. */
  readonly authority: string;
  /** `away`: it said nothing that could be used. */
  readonly outcome: "found" | "missing" | "away";
  /** Of `away`, as it follows the title in a sentence: `does not answer`. */
  readonly reason?: string;
}

/** What is to be prepared. */
export interface PrepareJob {
  /**
   * `sent`: the body of a request. `draft`: a stored draft that is to be published, with its terms as they are now.
   * `copy`: a stored record whose metadata another record takes as they stand, valid or not.
   */
  readonly kind: "sent" | "draft" | "copy";
  readonly model: string;
  /** JSON text of a body. */
  readonly text: string;
  /** What authorities were asked for before; absent: nothing. */
  readonly lookedUp?: readonly LookedUp[];
}

/** Metadata as it will be stored, with its index. */
export interface Ready {
  readonly kind: "ready";
  /** JSON text. */
  readonly metadata: string;
  readonly index: PreparedIndex;
  readonly issues: readonly Issue[];
  readonly warnings: readonly Warning[];
  /** `TermReader.version` before any term was looked up: while it is the same, they are what was found. */
  readonly termsAt: string;
  /** The terms that were looked up, and a digest of what was found: they may have changed since. */
  readonly asked: readonly TermReference[];
  readonly found: string;
  /** Those that no term has. */
  readonly unknown: readonly TermReference[];
  /** What authorities said of terms, as the job has it. */
  readonly lookedUp: readonly LookedUp[];
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
