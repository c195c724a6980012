import type { Clause } from "../../../query/index-model/clause.js";
import { phrase } from "../documents/fts-expression.js";
import { titleToken, wholeToken } from "../documents/record-tokens.js";
import { type CompileContext, compileQuery } from "./compile-query.js";
import { allPlans, anyPlan, EVERYTHING, matchPlan, notPlan, type Plan } from "./plan.js";

/** One step of the ranking: hits of a lower number come first; within a step the newest do. */
export interface Step {
  readonly number: number;
  /** The hits of this step that are in none before it. */
  readonly plan: Plan;
}

/**
 * The steps of `bestmatch` (docs/search-syntax.md): 1 an id or identifier is q as a whole, 2 a title is, 3 a title
 * begins with it, 4 the clause holds in titles, 5 in titles and heavy fields, 6 anywhere.
 * @param hits all hits
 */
export function bestMatchSteps(
  { clause, plain = [] }: { readonly clause: Clause; readonly plain?: readonly string[] },
  hits: Plan,
  context: CompileContext,
): Step[] {
  const steps: Step[] = [];
  // The plans of the steps so far; one that holds all hits of another stands for both.
  const before = new Map<string, Plan>();
  const add = (number: number, holds: string, step: Plan): void => {
    steps.push({ number, plan: allPlans([hits, step, notPlan(anyPlan([...before.values()]))]) });
    before.set(holds, step);
  };
  if (plain.length > 0) {
    add(1, "identifier", matchPlan(phrase([wholeToken(plain)])));
    add(2, "beginning", matchPlan(phrase([titleToken(plain)])));
    add(3, "beginning", matchPlan(phrase([titleToken(plain)], true)));
  }
  if (looksAtText(clause)) {
    add(4, "clause", compileQuery(clause, { ...context, columns: "title" }));
    add(5, "clause", compileQuery(clause, { ...context, columns: "{title heavy}" }));
  }
  add(6, "clause", EVERYTHING);
  return steps;
}

/** Has the clause unfielded text that is not under NOT? Else the steps that look at fewer fields say nothing. */
function looksAtText(clause: Clause): boolean {
  switch (clause.kind) {
    case "words":
    case "prefix":
    case "wildcard":
    case "fuzzy":
      return clause.place.in === "text";
    case "all":
    case "any":
      return clause.of.some(looksAtText);
    case "element":
      return looksAtText(clause.of);
    default:
      return false;
  }
}
