import { addAll } from "../../../core/arrays.js";
import { cardinality } from "../bitmaps/doc-id-set.js";
import { complement, intersect, MATCH_ALL, MATCH_NONE, type MatchSet, union } from "../bitmaps/match-set.js";
import type { IndexScan } from "../cache/index-scan.js";
import { CacheMiss, getAll, orMiss } from "../cache/snapshot-cache.js";
import { type AnyLeaf, isLeaf, type Plan } from "./plan.js";

/** What a plan is about: all records, the elements of a group, the terms of a vocabulary. */
export interface Level<L extends AnyLeaf, Few> {
  /** @throws BinderyError QUERY_TOO_COSTLY */
  check(): void;
  /**
   * @param few only these count: the answer may hold others, but is right for these
   * @throws CacheMiss where it is neither cached nor looked for among a few
   */
  leaf(leaf: L, few?: Few): MatchSet;
  /** Are the documents themselves read for it? Then it is asked for after all others, about what these have left. */
  readsDocuments(leaf: L): boolean;
  /** What may be looked at one by one; undefined where it is too much. */
  fewOf(set: MatchSet): Few | undefined;
}

/** The set of a plan. @throws CacheMiss */
export function evaluate<L extends AnyLeaf, Few>(plan: Plan<L>, level: Level<L, Few>, few?: Few): MatchSet {
  level.check();
  if (isLeaf(plan)) return level.leaf(plan, few);
  switch (plan.kind) {
    case "all":
      return evaluateAll(plan.of, level, few);
    case "any":
      return getAll(plan.of, (part) => evaluate(part, level, few)).reduce(union, MATCH_NONE);
    case "not":
      return complement(evaluate(plan.of, level, few));
  }
}

/** What is not cached is loaded only where what is leaves more than a few documents to look at. */
function evaluateAll<L extends AnyLeaf, Few>(parts: readonly Plan<L>[], level: Level<L, Few>, few?: Few): MatchSet {
  const waiting: Plan<L>[] = [];
  const scans: IndexScan[] = [];
  let result = MATCH_ALL;
  for (const part of parts) {
    if (isEmpty(result)) return MATCH_NONE;
    if (isLeaf(part) && level.readsDocuments(part)) {
      waiting.push(part);
      continue;
    }
    const set = orMiss(() => evaluate(part, level, few));
    if (set instanceof CacheMiss) {
      waiting.push(part);
      addAll(scans, set.scans);
    } else {
      result = intersect(result, set);
    }
  }
  for (const part of waiting) {
    if (isEmpty(result)) return MATCH_NONE;
    const left = level.fewOf(result);
    if (left === undefined) throw new CacheMiss(scans);
    result = intersect(result, evaluate(part, level, left));
  }
  return result;
}

const isEmpty = ({ rows, isComplement }: MatchSet): boolean => !isComplement && cardinality(rows) === 0;
