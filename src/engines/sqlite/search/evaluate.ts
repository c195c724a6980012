import { cardinality, type DocIdRange, type DocIdSet } from "../bitmaps/doc-id-set.js";
import { complement, intersect, MATCH_ALL, MATCH_NONE, type MatchSet, union } from "../bitmaps/match-set.js";
import { allOrMiss, CacheMiss } from "../cache/snapshot-cache.js";
import type { Leaf, Plan } from "./plan.js";

/** What a plan is about: all records, or the elements of a group. */
export interface Level {
  check(): void;
  /** @param among only these records count: the answer may hold others, but is right for these */
  leaf(leaf: Leaf, among?: readonly DocIdRange[]): MatchSet | CacheMiss;
  /** The records of some rows, as ranges. */
  recordsOf(rows: DocIdSet): readonly DocIdRange[];
}

/** Records among which a leaf that is not kept is looked for one by one. */
const ONE_BY_ONE_MAX = 200;

/** The set of a plan, or what has to be loaded before it can be said. */
export function evaluate(plan: Plan, level: Level, among?: readonly DocIdRange[]): MatchSet | CacheMiss {
  level.check();
  switch (plan.kind) {
    case "all":
      return evaluateAll(plan.of, level, among);
    case "any":
      return evaluateAny(plan.of, level, among);
    case "not": {
      const set = evaluate(plan.of, level, among);
      return set instanceof CacheMiss ? set : complement(set);
    }
    default:
      return level.leaf(plan, among);
  }
}

function evaluateAny(parts: readonly Plan[], level: Level, among?: readonly DocIdRange[]): MatchSet | CacheMiss {
  const sets = allOrMiss(parts.map((part) => evaluate(part, level, among)));
  return sets instanceof CacheMiss ? sets : sets.reduce(union, MATCH_NONE);
}

/** What is not kept is loaded only where what is leaves more than a few records to look at. */
function evaluateAll(parts: readonly Plan[], level: Level, among?: readonly DocIdRange[]): MatchSet | CacheMiss {
  const waiting: { readonly part: Plan; readonly missing: CacheMiss }[] = [];
  let result = MATCH_ALL;
  for (const part of parts) {
    if (isEmpty(result)) return MATCH_NONE;
    const set = evaluate(part, level, among);
    if (set instanceof CacheMiss) waiting.push({ part, missing: set });
    else result = intersect(result, set);
  }
  if (waiting.length === 0 || isEmpty(result)) return result;
  if (result.isComplement || cardinality(result.rows) > ONE_BY_ONE_MAX) {
    return new CacheMiss(waiting.flatMap(({ missing }) => missing.scans));
  }
  for (const { part } of waiting) {
    if (isEmpty(result)) return MATCH_NONE;
    const set = evaluate(part, level, level.recordsOf(result.rows));
    if (set instanceof CacheMiss) return set;
    result = intersect(result, set);
  }
  return result;
}

const isEmpty = ({ rows, isComplement: except }: MatchSet): boolean => !except && cardinality(rows) === 0;
