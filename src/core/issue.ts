import type { Json } from "./json.js";

/** One entry of any `errors`: one problem at one place, with its cure. */
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

/** One entry of any `warnings`: something that was done or left out, and that the client should know. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  /** Where in a body (`metadata.contributors.0.id`). */
  readonly field?: string;
  /** Or which parameter. */
  readonly parameter?: string;
  /** What was dropped or is no longer there, so that nothing typed is lost. */
  readonly value?: Json;
  /** Known names or terms near to what was sent. */
  readonly nearest?: readonly Json[];
}
