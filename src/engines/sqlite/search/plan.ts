import type { RecordScope } from "../../../ports/search-index.js";
import type { DocIdSet } from "../bitmaps/doc-id-set.js";
import type { IndexScan } from "../cache/index-scan.js";
import type { NumberRange } from "../doc-values/numeric-column.js";

/**
 * How a clause is answered: a set for each leaf, and TypeScript combines the sets. Within a group the sets are of
 * elements: what stands in deeper ones counts for the element of the group around it.
 */
export type Plan =
  | Leaf
  | { readonly kind: "all"; readonly of: readonly Plan[] }
  | { readonly kind: "any"; readonly of: readonly Plan[] }
  | { readonly kind: "not"; readonly of: Plan };

export type Leaf =
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
  readonly of: Plan;
}

export const NOTHING: Plan = { kind: "any", of: [] };
export const EVERYTHING: Plan = { kind: "all", of: [] };

export const matchPlan = (...matches: readonly string[]): Plan =>
  matches.length === 0 ? NOTHING : { kind: "match", matches };

export function allPlans(plans: readonly Plan[]): Plan {
  return plans.some(isNothing) ? NOTHING : joined("all", plans);
}

export function anyPlan(plans: readonly Plan[]): Plan {
  return plans.some(isEverything) ? EVERYTHING : joined("any", plans);
}

export function notPlan(plan: Plan): Plan {
  if (isNothing(plan)) return EVERYTHING;
  if (isEverything(plan)) return NOTHING;
  return plan.kind === "not" ? plan.of : { kind: "not", of: plan };
}

const isNothing = (plan: Plan): boolean => plan.kind === "any" && plan.of.length === 0;

const isEverything = (plan: Plan): boolean => plan.kind === "all" && plan.of.length === 0;

function joined(kind: "all" | "any", plans: readonly Plan[]): Plan {
  const of = plans.flatMap((plan) => (plan.kind === kind ? plan.of : [plan]));
  return of.length === 1 ? of[0]! : { kind, of };
}
