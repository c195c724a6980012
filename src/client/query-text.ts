/** Interpretation of the text of a query. Positions are in code points. */
export interface QueryText {
  /** Interpreted query. */
  readonly parsed: string;
  /** Whether a part was interpreted differently from its text. */
  readonly fallback: boolean;
  /** Number of public hits; absent if they were not counted. */
  readonly total?: number;
  readonly parts: readonly QueryPart[];
  /** Only with `at`. */
  readonly completions?: readonly Completion[];
  readonly warnings: readonly QueryWarning[];
}

/** Part of the text of a query. */
export interface QueryPart {
  readonly from: number;
  readonly to: number;
  readonly kind: "word" | "phrase" | "field" | "range" | "quantity" | "term" | "group" | "operator" | "dropped";
  readonly text: string;
  /** Original text. */
  readonly field?: string;
  readonly label?: string;
  /** For a group: path of the list in which one element must match the whole group. */
  readonly element?: string;
  readonly operator?: "AND" | "OR" | "NOT" | "+";
  readonly match?: "words" | "phrase" | "prefix" | "wildcard" | "fuzzy" | "exists" | "id" | "within" | "everything";
  /** Text without quotes and escapes. */
  readonly value?: string;
  /** For a comparison: original text. */
  readonly bounds?: readonly {
    readonly op: ">=" | ">" | "<=" | "<" | "=";
    readonly value: string;
    readonly unit?: string;
  }[];
  /** Range in the canonical unit. */
  readonly canonical?: { readonly from?: number | string; readonly to?: number | string; readonly unit?: string };
  readonly term?: { readonly id: string; readonly title: string };
  /** The part as a separate query, and its hits. */
  readonly parsed?: string;
  readonly total?: number;
  /** Query without this part; absent if there are more than 20 parts, or if the interpretation would differ. */
  readonly without?: string;
  readonly parts?: readonly QueryPart[];
}

/** Possible completion. */
export interface Completion {
  readonly kind: "field" | "value" | "term" | "unit" | "operator";
  /** Replacement of the text from `from` to `to`. */
  readonly insert: string;
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly detail?: string;
  /** For a value: hits of the field with this value alone. */
  readonly doc_count?: number;
}

/** Warning with its position in the query, and better queries. */
export interface QueryWarning {
  readonly code: string;
  readonly message: string;
  readonly parameter?: string;
  readonly value?: unknown;
  readonly nearest?: readonly unknown[];
  readonly from?: number;
  readonly to?: number;
  readonly cures?: readonly { readonly label: string; readonly q: string }[];
}
