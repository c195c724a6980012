/**
 * How a clause is answered: a set for each leaf, and TypeScript combines the sets. What the leaves are is up to those
 * who compile and look them up (records, elements of records, terms); none has a kind of these three.
 */
export type Plan<L extends AnyLeaf> = L | Combined<L>;

type Combined<L extends AnyLeaf> =
  | { readonly kind: "all"; readonly of: readonly Plan<L>[] }
  | { readonly kind: "any"; readonly of: readonly Plan<L>[] }
  | { readonly kind: "not"; readonly of: Plan<L> };

export interface AnyLeaf {
  readonly kind: string;
}

export const NOTHING: Plan<never> = { kind: "any", of: [] };
export const EVERYTHING: Plan<never> = { kind: "all", of: [] };

export function isLeaf<L extends AnyLeaf>(plan: Plan<L>): plan is L {
  return plan.kind !== "all" && plan.kind !== "any" && plan.kind !== "not";
}

export function allPlans<L extends AnyLeaf>(plans: readonly Plan<L>[]): Plan<L> {
  return plans.some(isNothing) ? NOTHING : joined("all", plans);
}

export function anyPlan<L extends AnyLeaf>(plans: readonly Plan<L>[]): Plan<L> {
  return plans.some(isEverything) ? EVERYTHING : joined("any", plans);
}

export function notPlan<L extends AnyLeaf>(plan: Plan<L>): Plan<L> {
  if (isNothing(plan)) return EVERYTHING;
  if (isEverything(plan)) return NOTHING;
  return !isLeaf(plan) && plan.kind === "not" ? plan.of : { kind: "not", of: plan };
}

const isNothing = (plan: Plan<AnyLeaf>): boolean => isEmpty(plan, "any");
const isEverything = (plan: Plan<AnyLeaf>): boolean => isEmpty(plan, "all");

function isEmpty(plan: Plan<AnyLeaf>, kind: "all" | "any"): boolean {
  return plan.kind === kind && (plan as { readonly of: readonly unknown[] }).of.length === 0;
}

function joined<L extends AnyLeaf>(kind: "all" | "any", plans: readonly Plan<L>[]): Plan<L> {
  const of = plans.flatMap((plan): readonly Plan<L>[] => (!isLeaf(plan) && plan.kind === kind ? plan.of : [plan]));
  return of.length === 1 ? of[0]! : { kind, of };
}
