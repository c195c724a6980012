import type { Json } from "./json.js";

/** An entry of `errors`: a problem at a place, with its correction. */
export interface Issue {
  /** `metadata.contributors.0.id`, or the name of a parameter. */
  readonly field: string;
  /** JSON pointer (RFC 6901) to the same place: `/metadata/contributors/0/id`. */
  readonly pointer: string;
  /** Stable, from the catalogue of issue codes in `core/issue-codes.ts`. */
  readonly code: string;
  readonly messages: readonly string[];
  readonly value?: Json;
  readonly allowed?: readonly Json[];
  readonly nearest?: readonly Json[];
}

/** An entry of `warnings`: something that was done or left out and that the client should know. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  /** The place in a body (`metadata.contributors.0.id`). */
  readonly field?: string;
  /** Or the name of the parameter. */
  readonly parameter?: string;
  /** The dropped or missing value, so that nothing typed is lost. */
  readonly value?: Json;
  /** Known names or terms that are similar to the sent one. */
  readonly nearest?: readonly Json[];
}
