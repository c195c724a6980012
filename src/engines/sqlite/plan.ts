import type { ElementPlace } from "./element-sets.js";
import { allOf, anyOf, EVERY_ROW, type Match, NONE, notOf } from "./match.js";
import type { ValueTest } from "./vals.js";

/**
 * How a clause is answered. Whatever is text folds into one MATCH; the rest are sets of rows that TypeScript
 * combines (evaluate-plan.ts).
 */
export type Plan =
  | { readonly kind: "match"; readonly match: Match }
  /** One of many alternatives, more than one MATCH should hold. */
  | { readonly kind: "alternatives"; readonly matches: readonly Match[] }
  /** The rows that `narrow` finds and of whose values one fulfils the test. */
  | { readonly kind: "scan"; readonly narrow: Match; readonly test: ValueTest }
  /** The rows with an element that fulfils all that the group says. */
  | { readonly kind: "element"; readonly group: ElementGroup }
  /** Rows that are already known, ascending. */
  | { readonly kind: "rows"; readonly ids: readonly number[] }
  | { readonly kind: "all"; readonly of: readonly Plan[] }
  | { readonly kind: "any"; readonly of: readonly Plan[] }
  | { readonly kind: "not"; readonly of: Plan };

/** A question about each single element of an array of objects. */
export interface ElementGroup extends ElementPlace {
  readonly of: ElementPlan;
}

/** How it is answered: by sets of elements of the group's path; what stands in deeper ones is lifted to it. */
export type ElementPlan =
  /** One of the expressions finds the row of the element, or of one below it; only in records of the models. */
  | { readonly kind: "match"; readonly matches: readonly Match[]; readonly models?: readonly string[] }
  /** Of the values in it, in a record that `narrow` finds, one fulfils the test. */
  | { readonly kind: "scan"; readonly narrow: Match; readonly test: ValueTest }
  /** An element below it, or itself, fulfils a group of its own. */
  | { readonly kind: "element"; readonly group: ElementGroup }
  | { readonly kind: "all"; readonly of: readonly ElementPlan[] }
  | { readonly kind: "any"; readonly of: readonly ElementPlan[] }
  | { readonly kind: "not"; readonly of: ElementPlan };

export const matchPlan = (match: Match): Plan => ({ kind: "match", match });

export const NOTHING = matchPlan(NONE);
export const EVERYTHING = matchPlan(EVERY_ROW);

export const allPlans = (plans: readonly Plan[]): Plan => combine("all", allOf, plans);

export const anyPlan = (plans: readonly Plan[]): Plan => combine("any", anyOf, plans);

export function notPlan(plan: Plan): Plan {
  if (plan.kind === "not") return plan.of;
  const match = plan.kind === "match" ? notOf(plan.match) : undefined;
  return match === undefined ? { kind: "not", of: plan } : matchPlan(match);
}

function combine(
  kind: "all" | "any",
  fold: (matches: readonly Match[]) => Match | undefined,
  plans: readonly Plan[],
): Plan {
  const flat = plans.flatMap((plan) => (plan.kind === kind ? plan.of : [plan]));
  const matches = flat.flatMap((plan) => (plan.kind === "match" ? [plan.match] : []));
  const folded = fold(matches);
  const rest = folded === undefined ? flat : flat.filter((plan) => plan.kind !== "match");
  if (folded === undefined) return { kind, of: rest };
  // What decides alone, and what changes nothing.
  const decisive = kind === "all" ? "none" : "every";
  const neutral = kind === "all" ? "every" : "none";
  if (rest.length === 0 || folded.kind === decisive) return matchPlan(folded);
  const of = folded.kind === neutral ? rest : [matchPlan(folded), ...rest];
  return of.length === 1 ? (of[0] as Plan) : { kind, of };
}
