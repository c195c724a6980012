import type { Issue, Tombstone } from "./answers.js";

/** Data of a failure. */
export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly Issue[];
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly tombstone?: Tombstone | undefined;
}

/** Error of all methods, except that an aborted call throws the reason of its signal. Programs should use `code`. */
export class BinderyError extends Error {
  override readonly name = "BinderyError";
  /** HTTP status; 0 if there was no answer. */
  readonly status: number;
  /**
   * A code of docs/errors.md, `UNREACHABLE` if there was no complete answer, or `UNEXPECTED_ANSWER` if the answer was
   * not one of Bindery.
   */
  readonly code: string;
  /** Problems of the body or the parameters by place; often empty. */
  readonly errors: readonly Issue[];
  /** Id of the request, for questions to the operator. */
  readonly requestId: string | undefined;
  /** Seconds until the request may be repeated. */
  readonly retryAfter: number | undefined;
  /** Tombstone of a retracted record (`RECORD_GONE`). */
  readonly tombstone: Tombstone | undefined;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.status = failure.status;
    this.code = failure.code;
    this.errors = failure.errors ?? [];
    this.requestId = failure.requestId;
    this.retryAfter = failure.retryAfter;
    this.tombstone = failure.tombstone;
  }
}
