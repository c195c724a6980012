/** Sets of the leaves of a plan that are the same for records and for elements but for whose they are. */

import type { DocIdRange, DocIdSet } from "../bitmaps/doc-id-set.js";
import { MATCH_NONE, type MatchSet, matching, union } from "../bitmaps/match-set.js";
import { allOrMiss, type CachedView, CacheMiss, type Snapshot } from "../cache/snapshot-cache.js";
import { numericColumn, type Owners, ownersBetween } from "../doc-values/numeric-column.js";
import { ordinalColumn, ownersOfKeys } from "../doc-values/ordinal-column.js";
import type { Leaf } from "./plan.js";

/** What levels share during one search. */
export interface LevelContext {
  readonly looking: Snapshot;
  /** 1 for each row of `key` at a path that is the term or one below it. */
  keysWithin(path: number, vocabulary: string, id: string): Uint8Array;
}

type Of<K extends Leaf["kind"]> = Extract<Leaf, { kind: K }>;

/** The set of a thing; of a part of the records where these are all that count. */
export function setOf(
  looking: Snapshot,
  thing: CachedView<DocIdSet>,
  among?: readonly DocIdRange[],
): MatchSet | CacheMiss {
  const rows = among === undefined ? looking.getSet(thing) : looking.getWithin(thing, among);
  return rows instanceof CacheMiss ? rows : matching(rows);
}

export function numbersIn(
  { paths, range }: Of<"numbers">,
  owners: Owners,
  looking: Snapshot,
  among?: readonly DocIdRange[],
): MatchSet | CacheMiss {
  return unionOf(paths, (path) => {
    const thing = numericColumn(path, owners);
    const column = among === undefined ? looking.get(thing) : looking.getWithin(thing, among);
    return column instanceof CacheMiss ? column : ownersBetween(column, range);
  });
}

export function keysWithin(
  { paths, vocabulary, id }: Of<"within">,
  owners: Owners,
  { looking, keysWithin: keysBelow }: LevelContext,
  among?: readonly DocIdRange[],
): MatchSet | CacheMiss {
  return unionOf(paths, (path) => {
    const thing = ordinalColumn(path, owners);
    const column = among === undefined ? looking.get(thing) : looking.getWithin(thing, among);
    return column instanceof CacheMiss ? column : ownersOfKeys(column, keysBelow(path, vocabulary, id));
  });
}

function unionOf(paths: readonly number[], rowsAt: (path: number) => DocIdSet | CacheMiss): MatchSet | CacheMiss {
  const sets = allOrMiss(paths.map(rowsAt));
  return sets instanceof CacheMiss ? sets : sets.map(matching).reduce(union, MATCH_NONE);
}
