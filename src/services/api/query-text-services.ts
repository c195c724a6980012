import type { Warning } from "../../core/issue.js";
import type { Completion as TextCompletion } from "../../query/complete/completions.js";
import type { Cure } from "../../query/describe/cures.js";
import type { DescribedPart } from "../../query/describe/describe-parts.js";

/** A query's text, to be read and completed. All positions in it are told in code points. */
export interface QueryTextRequest {
  readonly q: string;
  /** Of one model or one vocabulary; neither: of all models. */
  readonly model?: string;
  readonly vocabulary?: string;
  /** Where somebody is typing; absent: nothing is completed. */
  readonly at?: number;
  /** Are hits to be counted? */
  readonly totals: boolean;
  /** Language of titles. */
  readonly lang: string;
}

/** A piece of the text, as it was read. */
export interface QueryPart extends Omit<DescribedPart, "ids" | "query" | "parts"> {
  /** The cited term, where its vocabulary has it. */
  readonly term?: { readonly id: string; readonly title: string };
  /** What this part asks for alone, as a query. */
  readonly parsed?: string;
  /** Hits of `parsed`. */
  readonly total?: number;
  readonly parts?: readonly QueryPart[];
}

export interface Completion extends TextCompletion {
  /** Hits of the field with this value alone. */
  readonly doc_count?: number;
}

/** A warning, and what to do about it. */
export interface QueryWarning extends Warning {
  /** What of the text it is about. */
  readonly from?: number;
  readonly to?: number;
  readonly cures?: readonly Cure[];
}

export interface QueryTextAnswer {
  readonly parsed: string;
  readonly fallback: boolean;
  readonly total?: number;
  readonly parts: readonly QueryPart[];
  readonly completions?: readonly Completion[];
  readonly warnings: readonly QueryWarning[];
}

/** How the text of a query is read. */
export interface QueryTextServices {
  /** `isUnsettled`: the same text may be answered otherwise though nothing was published. */
  readQueryText(
    request: QueryTextRequest,
  ): Promise<{ readonly answer: QueryTextAnswer; readonly isUnsettled: boolean }>;
}
