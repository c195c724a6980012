import type { RecordScope } from "../../../ports/search-index.js";
import type { DocIdSet } from "../bitmaps/doc-id-set.js";
import type { IndexScan } from "../cache/index-scan.js";
import type { NumberRange } from "../doc-values/numeric-column.js";
import { NOTHING, type Plan } from "../plan/plan.js";

/**
 * How a clause about records is answered. Within a group the sets are of elements: what stands in deeper ones counts
 * for the element of the group around it.
 */
export type RecordPlan = Plan<RecordLeaf>;

export type RecordLeaf =
  /** One of the FTS5 expressions finds the row; within a group only in records of the models. */
  | { readonly kind: "match"; readonly matches: readonly string[]; readonly models?: readonly string[] }
  /** A number at one of the paths lies in the range. */
  | { readonly kind: "numbers"; readonly paths: readonly number[]; readonly range: NumberRange }
  /** A keyword at one of the paths lies in the range. */
  | Extract<IndexScan, { kind: "keywords" }>
  /** The term, or one below it, is an id at one of the paths. */
  | { readonly kind: "within"; readonly paths: readonly number[]; readonly vocabulary: string; readonly id: string }
  /** An element fulfils all that the group says. */
  | { readonly kind: "element"; readonly group: ElementGroup }
  /** What a caller may see. */
  | { readonly kind: "visible"; readonly scope: RecordScope }
  /** Rows that are known. */
  | { readonly kind: "rows"; readonly rows: DocIdSet };

/** A question about each single element of the array of objects at a path. */
export interface ElementGroup {
  readonly path: number;
  readonly of: RecordPlan;
}

/** What one of the FTS5 expressions finds. */
export const matchPlan = (matches: readonly string[]): RecordPlan =>
  matches.length === 0 ? NOTHING : { kind: "match", matches };
