import type { ErrorCode } from "../../core/errors.js";
import type { Issue, Warning } from "../../core/issue.js";
import type { SentBody } from "../../core/sent-body.js";
import type { PreparedIndex, TermReference } from "../../ports/store.js";

/** The answer of an authority about an id that metadata cite and that no stored term has. */
export interface AuthorityAnswer extends TermReference {
  /** Its title, for messages. */
  readonly authority: string;
  /** `unavailable`: it gave no usable answer. */
  readonly outcome: "found" | "missing" | "unavailable";
  /** Only for `unavailable`: the reason, as it follows the title in a sentence: `does not answer`. */
  readonly reason?: string;
}

/**
 * A body to prepare for storage. `sent`: the body of a request. `draft`: a stored draft that will be published, with
 * the current versions of its terms. `copy`: a stored record whose metadata are copied unchanged to another record,
 * valid or not.
 */
export type PrepareJob = (
  | { readonly kind: "sent"; readonly text: SentBody }
  | { readonly kind: "draft" | "copy"; readonly text: string }
) & {
  readonly model: string;
  /** Earlier answers of authorities; absent: none. */
  readonly lookups?: readonly AuthorityAnswer[];
};

/** Metadata as they will be stored, with their index. */
export interface PreparedRecord {
  readonly kind: "ready";
  /** JSON text. */
  readonly metadata: string;
  readonly index: PreparedIndex;
  readonly issues: readonly Issue[];
  readonly warnings: readonly Warning[];
  /** `TermReader.version` before any term was read. While it stays the same, the terms have not changed. */
  readonly termsVersion: string;
  /** The cited terms, and a digest of their content, which shows whether they have changed. */
  readonly references: readonly TermReference[];
  readonly citationsDigest: string;
  /** References to terms that do not exist. */
  readonly unknownTerms: readonly TermReference[];
  /** Answers of authorities about terms, as in the job. */
  readonly lookups: readonly AuthorityAnswer[];
}

/** A prepared body, or the reason why it could not be prepared. Plain data that can pass between threads. */
export type PrepareResult =
  | PreparedRecord
  | { readonly kind: "failed"; readonly code: ErrorCode; readonly params: Readonly<Record<string, unknown>> };

/** Services of the thread that prepares long bodies for the writer. */
export interface PrepareServices {
  /** Reads, fills in, validates and analyses metadata outside of any transaction. Errors of the client are returned. */
  prepareRecord(job: PrepareJob): Promise<PrepareResult>;
}
