/** Sets of the leaves of a plan that are the same for records and for elements but for whose they are. */
import { numberColumn, type Owners, ownersBetween } from "./columns.js";
import { keyColumn, ownersOfKeys } from "./key-column.js";
import { allOrMissing, type Looking, Missing, type Thing } from "./looking.js";
import type { Leaf } from "./plan.js";
import { found, NOTHING_FOUND, type RowSet, union } from "./row-set.js";
import type { RowRange, Rows } from "./rows.js";

/** What levels share during one search. */
export interface LevelContext {
  readonly looking: Looking;
  /** 1 for each row of `key` at a path that is the term or one below it. */
  keysWithin(path: number, vocabulary: string, id: string): Uint8Array;
}

type Of<K extends Leaf["kind"]> = Extract<Leaf, { kind: K }>;

/** The set of a thing; of a part of the records where these are all that count. */
export function setOf(looking: Looking, thing: Thing<Rows>, among?: readonly RowRange[]): RowSet | Missing {
  const rows = among === undefined ? looking.getRows(thing) : looking.among(thing, among);
  return rows instanceof Missing ? rows : found(rows);
}

export function numbersIn(
  { paths, range }: Of<"numbers">,
  owners: Owners,
  looking: Looking,
  among?: readonly RowRange[],
): RowSet | Missing {
  return unionOf(paths, (path) => {
    const thing = numberColumn(path, owners);
    const column = among === undefined ? looking.get(thing) : looking.among(thing, among);
    return column instanceof Missing ? column : ownersBetween(column, range);
  });
}

export function keysWithin(
  { paths, vocabulary, id }: Of<"within">,
  owners: Owners,
  { looking, keysWithin: keysBelow }: LevelContext,
  among?: readonly RowRange[],
): RowSet | Missing {
  return unionOf(paths, (path) => {
    const thing = keyColumn(path, owners);
    const column = among === undefined ? looking.get(thing) : looking.among(thing, among);
    return column instanceof Missing ? column : ownersOfKeys(column, keysBelow(path, vocabulary, id));
  });
}

function unionOf(paths: readonly number[], rowsAt: (path: number) => Rows | Missing): RowSet | Missing {
  const sets = allOrMissing(paths.map(rowsAt));
  return sets instanceof Missing ? sets : sets.map(found).reduce(union, NOTHING_FOUND);
}
