import type { Issue, Tombstone } from "./answers.js";

/** What a failure says of itself. */
export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly Issue[];
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly tombstone?: Tombstone | undefined;
}

/** What every method throws, unless its signal ended it: that throws the signal's reason. Decide by `code`. */
export class BinderyError extends Error {
  override readonly name = "BinderyError";
  /** The HTTP status; 0 where no answer came. */
  readonly status: number;
  /**
   * One of docs/errors.md, `UNREACHABLE` where no answer came or it broke off, or `UNEXPECTED_ANSWER` where something
   * answered that is no Bindery.
   */
  readonly code: string;
  /** What is wrong with the body or with parameters, place by place; often none. */
  readonly errors: readonly Issue[];
  /** Quote it when you ask the operator. */
  readonly requestId: string | undefined;
  /** Seconds after which it may be tried again. */
  readonly retryAfter: number | undefined;
  /** What is left of a record that was retracted (`RECORD_GONE`). */
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
