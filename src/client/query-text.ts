// Made from the schemas in src/core/answers by `npm run docs`; change the schemas there.

/** Interpretation of the text of a query. Positions are in code points. */

/** The interpretation of the text of a query. */
export interface QueryText {
  /** The interpretation of `q` as an equivalent query, which is read the same way. */
  readonly parsed: string;
  /** Whether a part of `q` was read differently from its literal meaning. */
  readonly fallback: boolean;
  /** Number of public hits. Absent if counting takes too long. */
  readonly total?: number;
  /** In order, without overlaps, separated by spaces only. After 20 parts or 50 ms they have no `total`. */
  readonly parts: readonly QueryPart[];
  /** With `at` only; best first. */
  readonly completions?: readonly Completion[];
  readonly warnings: readonly QueryWarning[];
}

/** A part of the text of a query, and its interpretation. */
export interface QueryPart {
  /** Its beginning in `q`, in code points. */
  readonly from: number;
  /** The first code point after it. */
  readonly to: number;
  /**
   * `field` is text in a field, `range` and `quantity` are comparisons without and with a unit, `term` is a known
   * id, `group` is a part in brackets, `dropped` is ignored text.
   */
  readonly kind: "word" | "phrase" | "field" | "range" | "quantity" | "term" | "group" | "operator" | "dropped";
  /** This part of `q`. Example: `kd:<10nM`. */
  readonly text: string;
  /** The name of the field, as typed. Example: `kd`. */
  readonly field?: string;
  /** The name of the field to display. Example: `KD`. */
  readonly label?: string;
  /** For a group: path of the list of which one element must match the whole group. */
  readonly element?: string;
  readonly operator?: "AND" | "OR" | "NOT" | "+";
  /** The kind of match for `value`. Ranges have `bounds` instead. */
  readonly match?: "words" | "phrase" | "prefix" | "wildcard" | "fuzzy" | "exists" | "id" | "within" | "everything";
  /** The text, id or pattern without quotes and escapes. Example: `taxid:562`. */
  readonly value?: string;
  /** Comparisons, all of which must hold. */
  readonly bounds?: readonly {
    readonly op: ">=" | ">" | "<=" | "<" | "=";
    /** The number as typed, without its unit. Example: `10`. */
    readonly value: string;
    /** The unit as typed. Example: `nM`. */
    readonly unit?: string;
  }[];
  /** The range in the unit to which all values are converted. */
  readonly canonical?: {
    /** A number, or an instant for a date. Absent if this end is open. */
    readonly from?: number | string;
    /** A number, or an instant for a date. Absent if this end is open. */
    readonly to?: number | string;
    /** Its unit. Example: `M`. */
    readonly unit?: string;
  };
  readonly term?: {
    /** Id of the cited term. Example: `taxid:562`. */
    readonly id: string;
    /** Its title. Example: `Escherichia coli`. */
    readonly title: string;
  };
  /** This part as a separate query, within the groups that contain it. */
  readonly parsed?: string;
  /** Number of hits of `parsed`. */
  readonly total?: number;
  /**
   * The whole query without this part. Absent if there are more than 20 parts, or if the other parts would be read
   * differently.
   */
  readonly without?: string;
  /** For a group: its parts. Absent inside more than 15 brackets. */
  readonly parts?: readonly QueryPart[];
}

/** A text that can be typed next. */
export interface Completion {
  readonly kind: "field" | "value" | "term" | "unit" | "operator";
  /** The text that replaces `from` to `to`. Example: `kd:`. */
  readonly insert: string;
  /** Its beginning in `q`, in code points. */
  readonly from: number;
  /** The first code point after it. */
  readonly to: number;
  /** The text to display. Example: `KD`. */
  readonly label: string;
  /** Additional text: an example, an id, the name that matched. Example: `kd:>0M`. */
  readonly detail?: string;
  /** For a plain word that becomes a value or term: the name of its field to display. Example: `Organism`. */
  readonly field_label?: string;
  /** For a value or term: number of hits of the field with it alone. */
  readonly doc_count?: number;
}

/** A warning with its place in `q`, and queries to send instead. */
export interface QueryWarning {
  /** Stable; docs/errors.md lists all codes. Example: `QUERY_BRACKET_CLOSED`. */
  readonly code: string;
  readonly message: string;
  /** The name of a parameter. */
  readonly parameter?: string;
  /** Text that was read differently from its literal meaning. */
  readonly value?: unknown;
  /** Known names that are similar to it. */
  readonly nearest?: readonly unknown[];
  /** Its beginning in `q`, in code points. */
  readonly from?: number;
  /** The first code point after it. */
  readonly to?: number;
  /** Queries to send instead, best first. */
  readonly cures?: readonly {
    /** Short description of the correction. Example: `Close it at the end`. */
    readonly label: string;
    /** The whole query to send instead. */
    readonly q: string;
    /** The unit that it adds to numbers without a unit. Example: `nM`. */
    readonly unit?: string;
  }[];
}
