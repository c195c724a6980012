import type { TermNow } from "../../core/term.js";

/** One value of a record or a term, as an index takes it. */
export interface LeafValue {
  /** Declared path; null for a value that no schema declares, which is searched as text only. */
  readonly path: string | null;
  /** Number of the element that holds it (its own innermost array of objects); 0 is the record itself. */
  readonly element: number;
  readonly weight: "title" | "heavy" | "rest";
  /** Analysed words; a phrase never crosses from one LeafValue to the next. */
  readonly words: readonly string[];
  /** Is the value found by its field only, and never by a bare word? */
  readonly isFieldOnly?: true;
  /** A number, or a date as microseconds since 1970 UTC, where the path is of that type and the value too. */
  readonly number?: number;
  /** The value as text, where the path is a keyword (true and false too): for facets and keyword ranges. */
  readonly keyword?: string;
}

/** Weights of the values that words without a field are looked for in. */
export type TextWeights = readonly ("title" | "heavy")[];

/** Everything that an index takes of one record. */
export interface RecordLeaves {
  /** Elements of arrays of objects in document order; the first is number 1. `parent` 0 is the record. */
  readonly elements: readonly { readonly path: string; readonly parent: number }[];
  readonly leaves: readonly LeafValue[];
  /**
   * Cited terms and those that replaced them: at which site, in which element. `isReplaced`: another one stands for
   * it now, so that it is found by its own id, but lies below nothing.
   */
  readonly cites: readonly {
    readonly vocabulary: string;
    readonly id: string;
    readonly site: string;
    readonly element: number;
    readonly isReplaced?: true;
  }[];
}

/** A cited term that leaves were made with; without `term`: its vocabulary did not have it. */
export interface AssumedTerm {
  readonly vocabulary: string;
  readonly id: string;
  readonly term?: TermNow;
}
