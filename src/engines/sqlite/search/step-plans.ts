import type { RecordStep, RecordTest } from "../../../query/ranking/record-steps.js";
import { phrase } from "../documents/fts-expression.js";
import { type CompileContext, compileQuery } from "./compile-query.js";
import { allPlans, anyPlan, EVERYTHING, matchPlan, notPlan, type Plan } from "./plan.js";

/** One step of the ranking. */
export interface Step {
  readonly number: number;
  /** The hits of this step that are in none before it. */
  readonly plan: Plan;
}

/** Compiles the steps of a ranking. @param hits all hits */
export function stepPlans(steps: readonly RecordStep[], hits: Plan, context: CompileContext): Step[] {
  const plans = new Map(steps.map(({ test }) => [test, testPlan(test, context)]));
  return steps.map(({ number, test, before }) => ({
    number,
    plan: allPlans([hits, plans.get(test)!, notPlan(anyPlan(before.map((earlier) => plans.get(earlier)!)))]),
  }));
}

function testPlan(test: RecordTest, context: CompileContext): Plan {
  if (test.kind === "everything") return EVERYTHING;
  if (test.kind === "token") return matchPlan(phrase([test.token], test.isPrefix));
  return compileQuery(test.clause, { ...context, weights: test.weights });
}
