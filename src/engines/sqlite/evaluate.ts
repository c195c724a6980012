import { allOrMissing, Missing } from "./looking.js";
import type { Leaf, Plan } from "./plan.js";
import { ALL_FOUND, complement, intersect, NOTHING_FOUND, type RowSet, union } from "./row-set.js";
import { countRows, type RowRange, type Rows } from "./rows.js";

/** What a plan is about: all records, or the elements of a group. */
export interface Level {
  check(): void;
  /** @param among only these records count: the answer may hold others, but is right for these */
  leaf(leaf: Leaf, among?: readonly RowRange[]): RowSet | Missing;
  /** The records of some rows, as ranges. */
  recordsOf(rows: Rows): readonly RowRange[];
}

/** Records among which a leaf that is not kept is looked for one by one. */
const ONE_BY_ONE_MAX = 200;

/** The set of a plan, or what has to be loaded before it can be said. */
export function evaluate(plan: Plan, level: Level, among?: readonly RowRange[]): RowSet | Missing {
  level.check();
  switch (plan.kind) {
    case "all":
      return evaluateAll(plan.of, level, among);
    case "any":
      return evaluateAny(plan.of, level, among);
    case "not": {
      const set = evaluate(plan.of, level, among);
      return set instanceof Missing ? set : complement(set);
    }
    default:
      return level.leaf(plan, among);
  }
}

function evaluateAny(parts: readonly Plan[], level: Level, among?: readonly RowRange[]): RowSet | Missing {
  const sets = allOrMissing(parts.map((part) => evaluate(part, level, among)));
  return sets instanceof Missing ? sets : sets.reduce(union, NOTHING_FOUND);
}

/** What is not kept is loaded only where what is leaves more than a few records to look at. */
function evaluateAll(parts: readonly Plan[], level: Level, among?: readonly RowRange[]): RowSet | Missing {
  const waiting: { readonly part: Plan; readonly missing: Missing }[] = [];
  let result = ALL_FOUND;
  for (const part of parts) {
    if (isEmpty(result)) return NOTHING_FOUND;
    const set = evaluate(part, level, among);
    if (set instanceof Missing) waiting.push({ part, missing: set });
    else result = intersect(result, set);
  }
  if (waiting.length === 0 || isEmpty(result)) return result;
  if (result.except || countRows(result.rows) > ONE_BY_ONE_MAX) {
    return new Missing(waiting.flatMap(({ missing }) => missing.questions));
  }
  for (const { part } of waiting) {
    if (isEmpty(result)) return NOTHING_FOUND;
    const set = evaluate(part, level, level.recordsOf(result.rows));
    if (set instanceof Missing) return set;
    result = intersect(result, set);
  }
  return result;
}

const isEmpty = ({ rows, except }: RowSet): boolean => !except && countRows(rows) === 0;
