import { addAll } from "../../../core/arrays.js";
import { cardinality, type DocIdRange, type DocIdSet } from "../bitmaps/doc-id-set.js";
import { complement, intersect, MATCH_ALL, MATCH_NONE, type MatchSet, union } from "../bitmaps/match-set.js";
import type { IndexScan } from "../cache/index-scan.js";
import { CacheMiss, getAll, orMiss } from "../cache/snapshot-cache.js";
import type { Leaf, Plan } from "./plan.js";

/** What a plan is about: all records, or the elements of a group. */
export interface Level {
  check(): void;
  /** @param among only these records count: the answer may hold others, but is right for these */
  leaf(leaf: Leaf, among?: readonly DocIdRange[]): MatchSet;
  /** The records of some rows, as ranges. */
  recordsOf(rows: DocIdSet): readonly DocIdRange[];
}

/** Records among which a leaf that is not cached is looked for one by one. */
const ONE_BY_ONE_MAX = 200;

/** The set of a plan. @throws CacheMiss */
export function evaluate(plan: Plan, level: Level, among?: readonly DocIdRange[]): MatchSet {
  level.check();
  switch (plan.kind) {
    case "all":
      return evaluateAll(plan.of, level, among);
    case "any":
      return getAll(plan.of, (part) => evaluate(part, level, among)).reduce(union, MATCH_NONE);
    case "not":
      return complement(evaluate(plan.of, level, among));
    default:
      return level.leaf(plan, among);
  }
}

/** What is not cached is loaded only where what is leaves more than a few records to look at. */
function evaluateAll(parts: readonly Plan[], level: Level, among?: readonly DocIdRange[]): MatchSet {
  const waiting: Plan[] = [];
  const scans: IndexScan[] = [];
  let result = MATCH_ALL;
  for (const part of parts) {
    if (isEmpty(result)) return MATCH_NONE;
    const set = orMiss(() => evaluate(part, level, among));
    if (set instanceof CacheMiss) {
      waiting.push(part);
      addAll(scans, set.scans);
    } else {
      result = intersect(result, set);
    }
  }
  if (waiting.length === 0 || isEmpty(result)) return result;
  if (result.isComplement || cardinality(result.rows) > ONE_BY_ONE_MAX) throw new CacheMiss(scans);
  for (const part of waiting) {
    if (isEmpty(result)) return MATCH_NONE;
    result = intersect(result, evaluate(part, level, level.recordsOf(result.rows)));
  }
  return result;
}

const isEmpty = ({ rows, isComplement }: MatchSet): boolean => !isComplement && cardinality(rows) === 0;
