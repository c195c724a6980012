import { addAll } from "../../../core/collections.js";
import {
  cardinality,
  intersectMatches,
  MATCH_ALL,
  MATCH_NONE,
  type MatchSet,
  negateMatch,
  uniteMatches,
} from "../bitmaps/doc-id-set.js";
import { getAll, type MissingPart, MissingParts, orMissing } from "../cache/missing-parts.js";

/**
 * An evaluation plan of a clause: a set for each leaf, and operators that combine the sets. The kinds of leaves are
 * defined by those who compile and evaluate them (records, elements of records, terms), and differ from the kinds of
 * operators.
 */
export type Plan<L extends AnyLeaf> = L | CombinedPlan<L>;

type CombinedPlan<L extends AnyLeaf> =
  | { readonly kind: "all"; readonly of: readonly Plan<L>[] }
  | { readonly kind: "any"; readonly of: readonly Plan<L>[] }
  | { readonly kind: "not"; readonly of: Plan<L> };

interface AnyLeaf {
  readonly kind: string;
}

/** Plan that no document matches. */
export const NOTHING_PLAN: Plan<never> = { kind: "any", of: [] };
/** Plan that all documents match. */
export const EVERYTHING_PLAN: Plan<never> = { kind: "all", of: [] };

function isLeaf<L extends AnyLeaf>(plan: Plan<L>): plan is L {
  return plan.kind !== "all" && plan.kind !== "any" && plan.kind !== "not";
}

/** Returns the plan of the documents that match all plans. */
export function allPlans<L extends AnyLeaf>(plans: readonly Plan<L>[]): Plan<L> {
  return plans.some(isNothing) ? NOTHING_PLAN : joinPlans("all", plans);
}

/** Returns the plan of the documents that match any of the plans. */
export function anyPlan<L extends AnyLeaf>(plans: readonly Plan<L>[]): Plan<L> {
  return plans.some(isEverything) ? EVERYTHING_PLAN : joinPlans("any", plans);
}

/** Returns the plan of the documents that do not match a plan. */
export function notPlan<L extends AnyLeaf>(plan: Plan<L>): Plan<L> {
  if (isNothing(plan)) return EVERYTHING_PLAN;
  if (isEverything(plan)) return NOTHING_PLAN;
  return !isLeaf(plan) && plan.kind === "not" ? plan.of : { kind: "not", of: plan };
}

const isNothing = (plan: Plan<AnyLeaf>): boolean => isEmptyPlan(plan, "any");
const isEverything = (plan: Plan<AnyLeaf>): boolean => isEmptyPlan(plan, "all");

function isEmptyPlan(plan: Plan<AnyLeaf>, kind: "all" | "any"): boolean {
  return plan.kind === kind && (plan as { readonly of: readonly unknown[] }).of.length === 0;
}

function joinPlans<L extends AnyLeaf>(kind: "all" | "any", plans: readonly Plan<L>[]): Plan<L> {
  const of = plans.flatMap((plan): readonly Plan<L>[] => (!isLeaf(plan) && plan.kind === kind ? plan.of : [plan]));
  return of.length === 1 ? of[0]! : { kind, of };
}

/** Evaluates leaves about one kind of document: all records, the elements of a group, or the terms of a vocabulary. */
export interface LeafEvaluator<L extends AnyLeaf, Few> {
  /** @throws BinderyError QUERY_TOO_COSTLY */
  check(): void;
  /**
   * Returns the set of a leaf.
   * @param few only these documents count: the set is right for them and may be wrong for others
   * @throws MissingParts if it is neither cached nor evaluated for few documents
   */
  leaf(leaf: L, few?: Few): MatchSet;
  /**
   * Returns whether the documents themselves are read. Such a leaf is evaluated last, on the documents that the others
   * leave.
   */
  readsDocuments(leaf: L): boolean;
  /** Returns the documents to evaluate one by one, undefined if they are too many. */
  fewOf(set: MatchSet): Few | undefined;
}

/** Returns the set of a plan. @throws MissingParts */
export function evaluate<L extends AnyLeaf, Few>(plan: Plan<L>, evaluator: LeafEvaluator<L, Few>, few?: Few): MatchSet {
  evaluator.check();
  if (isLeaf(plan)) return evaluator.leaf(plan, few);
  switch (plan.kind) {
    case "all":
      return evaluateAll(plan.of, evaluator, few);
    case "any":
      return getAll(plan.of, (part) => evaluate(part, evaluator, few)).reduce(uniteMatches, MATCH_NONE);
    case "not":
      return negateMatch(evaluate(plan.of, evaluator, few));
  }
}

/** Evaluates a conjunction. Uncached parts are loaded only if the cached ones leave more than a few documents. */
function evaluateAll<L extends AnyLeaf, Few>(
  parts: readonly Plan<L>[],
  evaluator: LeafEvaluator<L, Few>,
  few?: Few,
): MatchSet {
  const postponed: Plan<L>[] = [];
  const missing: MissingPart[] = [];
  let result = MATCH_ALL;
  for (const part of parts) {
    if (isEmptySet(result)) return MATCH_NONE;
    if (isLeaf(part) && evaluator.readsDocuments(part)) {
      postponed.push(part);
      continue;
    }
    const set = orMissing(() => evaluate(part, evaluator, few));
    if (set instanceof MissingParts) {
      postponed.push(part);
      addAll(missing, set.parts);
    } else {
      result = intersectMatches(result, set);
    }
  }
  for (const part of postponed) {
    if (isEmptySet(result)) return MATCH_NONE;
    const remaining = evaluator.fewOf(result);
    if (remaining === undefined) throw new MissingParts(missing);
    result = intersectMatches(result, evaluate(part, evaluator, remaining));
  }
  return result;
}

const isEmptySet = ({ rows, isComplement }: MatchSet): boolean => !isComplement && cardinality(rows) === 0;
