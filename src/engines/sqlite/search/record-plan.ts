import type { DocIdSet } from "../bitmaps/doc-id-set.js";
import type { IndexScan, SetScan } from "../cache/index-scan.js";
import type { NumberRange } from "../doc-values/numeric-column.js";
import { inSeveral } from "../documents/fts-expression.js";
import { NOTHING, type Plan } from "../plan/plan.js";

/**
 * How a clause about records is answered. Within a group the sets are of elements: what stands in deeper ones counts
 * for the element of the group around it.
 */
export type RecordPlan = Plan<RecordLeaf>;

export type RecordLeaf =
  /** What a scan of the index finds: of records, or of elements within a group. */
  | SetScan
  /** Elements that a scan finds in records of the models. */
  | { readonly kind: "inModels"; readonly scan: ElementScan; readonly models: readonly string[] }
  /** A number at one of the paths lies in the range. */
  | { readonly kind: "numbers"; readonly paths: readonly number[]; readonly range: NumberRange }
  /** The term, or one below it, is an id at one of the paths. */
  | { readonly kind: "within"; readonly paths: readonly number[]; readonly vocabulary: string; readonly id: string }
  /** An element fulfils all that the group says. */
  | { readonly kind: "element"; readonly group: ElementGroup }
  /** Rows that are known. */
  | { readonly kind: "rows"; readonly rows: DocIdSet };

type ElementScan = Extract<IndexScan, { kind: "elements" }>;

/** A question about each single element of the array of objects at a path. */
export interface ElementGroup {
  readonly path: number;
  readonly of: RecordPlan;
}

/** The records that one of the phrases finds; within a group the elements. */
export function phrasesPlan(phrases: readonly string[], group?: string): RecordPlan {
  return phrases.length === 0
    ? NOTHING
    : { kind: group === undefined ? "records" : "elements", matches: inSeveral(phrases) };
}
