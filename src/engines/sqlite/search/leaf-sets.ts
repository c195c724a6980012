/** Evaluates leaves of a plan that work the same for records and for elements. */

import {
  cardinality,
  contiguousRanges,
  type DocIdRange,
  type DocIdSet,
  MATCH_NONE,
  type MatchSet,
  matching,
  toIds,
  union,
} from "../bitmaps/doc-id-set.js";
import { getAll } from "../cache/missing-parts.js";
import type { CachedView, Snapshot } from "../cache/snapshot-cache.js";
import { numericColumn, type Owners, ownersBetween } from "../doc-values/numeric-column.js";
import { ordinalColumn, ownersOfKeys } from "../doc-values/ordinal-column.js";
import type { LeafEvaluator } from "../plan/plan.js";
import type { RecordLeaf } from "./record-plan.js";

/** Evaluates leaves of record plans. The few documents are records, as ranges of their rows. */
export type RecordLeafEvaluator = LeafEvaluator<RecordLeaf, readonly DocIdRange[]>;

/** Data shared by the leaf evaluators of one search. */
export interface LeafContext {
  readonly snapshot: Snapshot;
  /** Returns an array with 1 for each row of `key` at a path whose value is the term or one below it. */
  keysWithin(path: number, vocabulary: string, id: string): Uint8Array;
}

type LeafOfKind<K extends RecordLeaf["kind"]> = Extract<RecordLeaf, { kind: K }>;

/** Returns the set of a view, only within `among` if it is given. */
export function viewSet(snapshot: Snapshot, view: CachedView<DocIdSet>, among?: readonly DocIdRange[]): MatchSet {
  return matching(among === undefined ? snapshot.getSet(view) : snapshot.getWithin(view, among));
}

export function numbersIn(
  { paths, range }: LeafOfKind<"numbers">,
  owners: Owners,
  snapshot: Snapshot,
  among?: readonly DocIdRange[],
): MatchSet {
  return unionOf(paths, (path) => ownersBetween(getColumn(snapshot, numericColumn(path, owners), among), range));
}

export function keysWithin(
  { paths, vocabulary, id }: LeafOfKind<"within">,
  owners: Owners,
  { snapshot, keysWithin: keysBelow }: LeafContext,
  among?: readonly DocIdRange[],
): MatchSet {
  return unionOf(paths, (path) => {
    const column = getColumn(snapshot, ordinalColumn(path, owners), among);
    const isWithin = keysBelow(path, vocabulary, id);
    return ownersOfKeys(column, (key) => isWithin[key] === 1);
  });
}

function getColumn<T>(snapshot: Snapshot, view: CachedView<T>, among?: readonly DocIdRange[]): T {
  return among === undefined ? snapshot.get(view) : snapshot.getWithin(view, among);
}

const unionOf = (paths: readonly number[], rowsAt: (path: number) => DocIdSet): MatchSet =>
  getAll(paths, rowsAt).map(matching).reduce(union, MATCH_NONE);

/**
 * Maximum number of rows that are evaluated one by one if a view is not cached, and the minimum number of all rows for
 * each of them.
 */
const ONE_BY_ONE_MAX = 200;
const ALL_PER_FEW = 16;

/** Returns the records of a set as ranges if they are few enough to be evaluated one by one. */
export function fewRecords(
  set: MatchSet,
  snapshot: Snapshot,
  findRecords: () => DocIdSet,
): readonly DocIdRange[] | undefined {
  return set.isComplement || !isFew(set.rows, snapshot) ? undefined : contiguousRanges(toIds(findRecords()));
}

/**
 * Returns whether the rows are so few that evaluating them takes less time than scanning all rows once and caching the
 * result.
 */
export function isFew(rows: DocIdSet, snapshot: Snapshot): boolean {
  const few = cardinality(rows);
  return few <= ONE_BY_ONE_MAX && few * ALL_PER_FEW <= snapshot.lastRow;
}
