/** Sets of the leaves of a plan that are the same for records and for elements but for whose they are. */

import { cardinality, type DocIdRange, type DocIdSet, rangesOf, toIds } from "../bitmaps/doc-id-set.js";
import { MATCH_NONE, type MatchSet, matching, union } from "../bitmaps/match-set.js";
import { type CachedView, getAll, type Snapshot } from "../cache/snapshot-cache.js";
import { numericColumn, type Owners, ownersBetween } from "../doc-values/numeric-column.js";
import { ordinalColumn, ownersOfKeys } from "../doc-values/ordinal-column.js";
import type { Level } from "../plan/evaluate.js";
import type { RecordLeaf } from "./record-plan.js";

/** A level whose few documents are records, as ranges of their rows. */
export type RecordLevel = Level<RecordLeaf, readonly DocIdRange[]>;

/** What levels share during one search. */
export interface LevelContext {
  readonly snapshot: Snapshot;
  /** 1 for each row of `key` at a path that is the term or one below it. */
  keysWithin(path: number, vocabulary: string, id: string): Uint8Array;
}

type Of<K extends RecordLeaf["kind"]> = Extract<RecordLeaf, { kind: K }>;

/** The set of a view; of a part of the records where these are all that count. */
export function setOf(snapshot: Snapshot, view: CachedView<DocIdSet>, among?: readonly DocIdRange[]): MatchSet {
  return matching(among === undefined ? snapshot.getSet(view) : snapshot.getWithin(view, among));
}

export function numbersIn(
  { paths, range }: Of<"numbers">,
  owners: Owners,
  snapshot: Snapshot,
  among?: readonly DocIdRange[],
): MatchSet {
  return unionOf(paths, (path) => ownersBetween(columnOf(snapshot, numericColumn(path, owners), among), range));
}

export function keysWithin(
  { paths, vocabulary, id }: Of<"within">,
  owners: Owners,
  { snapshot, keysWithin: keysBelow }: LevelContext,
  among?: readonly DocIdRange[],
): MatchSet {
  return unionOf(paths, (path) => {
    const column = columnOf(snapshot, ordinalColumn(path, owners), among);
    const below = keysBelow(path, vocabulary, id);
    return ownersOfKeys(column, (key) => below[key] === 1);
  });
}

function columnOf<T>(snapshot: Snapshot, view: CachedView<T>, among?: readonly DocIdRange[]): T {
  return among === undefined ? snapshot.get(view) : snapshot.getWithin(view, among);
}

const unionOf = (paths: readonly number[], rowsAt: (path: number) => DocIdSet): MatchSet =>
  getAll(paths, rowsAt).map(matching).reduce(union, MATCH_NONE);

/** Rows whose leaves are looked for one by one where they are not cached; and how many rows there are for each. */
const ONE_BY_ONE_MAX = 200;
const ALL_PER_FEW = 16;

/** The records of a set's rows, if these are few enough to be looked at one by one. */
export function fewRecords(
  set: MatchSet,
  snapshot: Snapshot,
  recordsOf: () => DocIdSet,
): readonly DocIdRange[] | undefined {
  return set.isComplement || !isFew(set.rows, snapshot) ? undefined : rangesOf(toIds(recordsOf()));
}

/** Are they so few that to look at these takes less than to look at all once, and to keep what was found? */
export function isFew(rows: DocIdSet, snapshot: Snapshot): boolean {
  const few = cardinality(rows);
  return few <= ONE_BY_ONE_MAX && few * ALL_PER_FEW <= snapshot.lastRow;
}
