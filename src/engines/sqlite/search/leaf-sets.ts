/** Sets of the leaves of a plan that are the same for records and for elements but for whose they are. */

import type { DocIdRange, DocIdSet } from "../bitmaps/doc-id-set.js";
import { MATCH_NONE, type MatchSet, matching, union } from "../bitmaps/match-set.js";
import { type CachedView, getAll, type Snapshot } from "../cache/snapshot-cache.js";
import { numericColumn, type Owners, ownersBetween } from "../doc-values/numeric-column.js";
import { ordinalColumn, ownersOfKeys } from "../doc-values/ordinal-column.js";
import type { Leaf } from "./plan.js";

/** What levels share during one search. */
export interface LevelContext {
  readonly snapshot: Snapshot;
  /** 1 for each row of `key` at a path that is the term or one below it. */
  keysWithin(path: number, vocabulary: string, id: string): Uint8Array;
}

type Of<K extends Leaf["kind"]> = Extract<Leaf, { kind: K }>;

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
    return ownersOfKeys(column, keysBelow(path, vocabulary, id));
  });
}

function columnOf<T>(snapshot: Snapshot, view: CachedView<T>, among?: readonly DocIdRange[]): T {
  return among === undefined ? snapshot.get(view) : snapshot.getWithin(view, among);
}

const unionOf = (paths: readonly number[], rowsAt: (path: number) => DocIdSet): MatchSet =>
  getAll(paths, rowsAt).map(matching).reduce(union, MATCH_NONE);
