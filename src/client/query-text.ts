/** How the text of a query is read. Places in it are told in code points. */
export interface QueryText {
  /** The query as it was read. */
  readonly parsed: string;
  /** Was something read otherwise than it was written? */
  readonly fallback: boolean;
  /** Hits among what is public; absent where they were not counted. */
  readonly total?: number;
  readonly parts: readonly QueryPart[];
  /** With `at` only. */
  readonly completions?: readonly Completion[];
  readonly warnings: readonly QueryWarning[];
}

/** A part of a query's text. */
export interface QueryPart {
  readonly from: number;
  readonly to: number;
  readonly kind: "word" | "phrase" | "field" | "range" | "quantity" | "term" | "group" | "operator" | "dropped";
  readonly text: string;
  /** As it was typed. */
  readonly field?: string;
  readonly label?: string;
  /** Of a group: path of the list of which one element must fulfil all of it. */
  readonly element?: string;
  readonly operator?: "AND" | "OR" | "NOT" | "+";
  readonly match?: "words" | "phrase" | "prefix" | "wildcard" | "fuzzy" | "exists" | "id" | "within" | "everything";
  /** Without quotes and escapes. */
  readonly value?: string;
  /** Of a comparison, as it was typed. */
  readonly bounds?: readonly {
    readonly op: ">=" | ">" | "<=" | "<" | "=";
    readonly value: string;
    readonly unit?: string;
  }[];
  /** The range in the unit that all values are converted to. */
  readonly canonical?: { readonly from?: number | string; readonly to?: number | string; readonly unit?: string };
  readonly term?: { readonly id: string; readonly title: string };
  /** This part as a query of its own, and its hits. */
  readonly parsed?: string;
  readonly total?: number;
  /** The whole query without this part; absent where there are more than 20, or where it would be read otherwise. */
  readonly without?: string;
  readonly parts?: readonly QueryPart[];
}

/** What can be typed next. */
export interface Completion {
  readonly kind: "field" | "value" | "term" | "unit" | "operator";
  /** To be put in place of `from` to `to`. */
  readonly insert: string;
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly detail?: string;
  /** Of a value: hits of the field with it alone. */
  readonly doc_count?: number;
}

/** A warning with its place in the query, and queries to send instead. */
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
