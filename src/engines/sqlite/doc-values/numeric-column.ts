/** The numbers at one path, of records or of the elements of an array of objects, as cached views. */

import { greatestOf, leastOf } from "../../../core/collections.js";
import {
  asBitmap,
  containsRow,
  type DocIdRange,
  type DocIdSet,
  EMPTY_SET,
  lowerBoundOfValue,
  makeDocIdSet,
  removeRanges,
  uniteSets,
  upperBoundOfValue,
} from "../bitmaps/doc-id-set.js";
import type { ScanResult } from "../cache/index-scan.js";
import type { CachedView } from "../cache/snapshot-cache.js";
import { owningRecord } from "../documents/record-rows.js";
import { type NestedOrdinals, NO_ORDINAL } from "./nested-ordinals.js";

/** Owners of values: rows of records, or ordinals of elements. */
export type Owners = "records" | NestedOrdinals;

/**
 * A column of numbers: `owners[i]` has `values[i]`, sorted by value. `gone` excludes the values of changed records;
 * `delta` has their current values, unsorted.
 */
export interface NumericColumn {
  readonly owners: Uint32Array;
  readonly values: Float64Array;
  /** Greater than all sorted owners. */
  readonly end: number;
  readonly gone: readonly DocIdRange[];
  readonly delta: { readonly owners: readonly number[]; readonly values: readonly number[] };
}

/**
 * Share of values added later at which all are sorted again, the number that is always allowed, and the maximum number
 * of excluded ranges.
 */
const DELTA_SHARE = 8;
const DELTA_MIN = 4_096;
const DELETED_MAX = 2_000;

/** Numbers with their owners: `owners[i]` has `values[i]`, in the order of the answer. */
export interface OwnerValues {
  readonly owners: Uint32Array;
  readonly values: ArrayLike<number>;
}

/** Returns the owners and values of an answer. Values in no element of the space are left out. */
export function ownerValues(
  { rows, values = new Float64Array() }: ScanResult,
  of: Owners,
): OwnerValues & Pick<NumericColumn, "values"> {
  const owners = Uint32Array.from(rows, of === "records" ? owningRecord : (row) => of.ordinalOf(row));
  if (!owners.includes(NO_ORDINAL)) return { owners, values };
  return {
    owners: owners.filter((owner) => owner !== NO_ORDINAL),
    values: values.filter((_, i) => owners[i] !== NO_ORDINAL),
  };
}

/** Returns the part of cache keys that names the owners. */
export const ownersKey = (owners: Owners): string => (owners === "records" ? owners : `elements ${owners.epoch}`);

/** Returns the view of the numbers at a path. */
export function numericColumn(path: number, of: Owners): CachedView<NumericColumn> {
  const make = (answer: ScanResult): NumericColumn => {
    const { owners, values } = ownerValues(answer, of);
    const end = owners.reduce((max, owner) => Math.max(max, owner + 1), 0);
    return { owners, values, end, gone: [], delta: { owners: [], values: [] } };
  };
  return {
    key: `numbers ${ownersKey(of)} ${path}`,
    scan: { kind: "numbers", path },
    make,
    patch: (column, ranges, found) => patchColumn(column, of === "records" ? ranges : [], make(found)),
    measureBytes: columnBytes,
  };
}

/**
 * Returns the view of the smallest or largest number of each record at some paths; records with equal numbers are in
 * row order.
 */
export function extremeColumn(paths: readonly number[], of: "smallest" | "largest"): CachedView<NumericColumn> {
  const make = (answer: ScanResult): NumericColumn => {
    const { owners, values } = ownerValues(answer, "records");
    for (let start = 0; start < values.length; ) {
      const end = upperBoundOfValue(values, values[start]!);
      owners.subarray(start, end).sort();
      start = end;
    }
    const end = owners.reduce((max, owner) => Math.max(max, owner + 1), 0);
    return { owners, values, end, gone: [], delta: { owners: [], values: [] } };
  };
  return {
    key: `${of} ${paths.join(" ")}`,
    scan: { kind: "extremes", paths, of },
    make,
    patch: (column, ranges, found) => patchColumn(column, ranges, make(found)),
    measureBytes: columnBytes,
  };
}

const columnBytes = ({ owners, values, gone, delta }: NumericColumn): number =>
  owners.byteLength + values.byteLength + gone.length * 64 + delta.owners.length * 32;

/** Adds changes to a column. @param ranges of changed records; none for elements, whose ordinals are deleted instead */
function patchColumn(
  column: NumericColumn,
  ranges: readonly DocIdRange[],
  changed: NumericColumn,
): NumericColumn | undefined {
  const isGone = (owner: number): boolean => ranges.some(({ first, last }) => owner >= first && owner <= last);
  const stays = column.delta.owners.map((owner) => !isGone(owner));
  const delta = {
    owners: [...column.delta.owners.filter((_, i) => stays[i]), ...changed.owners],
    values: [...column.delta.values.filter((_, i) => stays[i]), ...changed.values],
  };
  const gone = [...column.gone, ...ranges.filter(({ first }) => first < column.end)];
  const isTooLarge = delta.owners.length * DELTA_SHARE > column.owners.length + DELTA_MIN * DELTA_SHARE;
  return isTooLarge || gone.length > DELETED_MAX ? undefined : { ...column, gone, delta };
}

/** A range of numbers; NaN is in no range. */
export interface NumberRange {
  readonly from: number;
  readonly takesFrom: boolean;
  readonly to: number;
  readonly takesTo: boolean;
}

/** The range of all numbers. */
export const EVERY_NUMBER: NumberRange = {
  from: Number.NEGATIVE_INFINITY,
  takesFrom: true,
  to: Number.POSITIVE_INFINITY,
  takesTo: true,
};

/** Returns the owners of a number in the range. */
export function ownersBetween({ owners, values, end: last, gone, delta }: NumericColumn, range: NumberRange): DocIdSet {
  const start = range.takesFrom ? lowerBoundOfValue(values, range.from) : upperBoundOfValue(values, range.from);
  const end = range.takesTo ? upperBoundOfValue(values, range.to) : lowerBoundOfValue(values, range.to);
  const sorted = start < end ? removeRanges(makeDocIdSet(owners.subarray(start, end), last), gone) : EMPTY_SET;
  const isInRange = (value: number): boolean =>
    (range.takesFrom ? value >= range.from : value > range.from) &&
    (range.takesTo ? value <= range.to : value < range.to);
  const deltaOwners = delta.owners.filter((_, i) => isInRange(delta.values[i]!));
  return deltaOwners.length === 0 ? sorted : uniteSets(sorted, makeDocIdSet(deltaOwners));
}

/** A hit with the number that it is sorted by. */
interface ValuedHit {
  readonly id: number;
  readonly value: number;
}

/**
 * Yields the hits that have a number, the smallest (or largest) first, and the newest first if numbers are equal.
 * @param column with one number for each record
 * @param after begins behind this hit
 */
export function* inValueOrder(
  column: NumericColumn,
  hits: DocIdSet,
  isLargestFirst: boolean,
  after?: ValuedHit,
): Generator<ValuedHit> {
  const order = (a: ValuedHit, b: ValuedHit): number =>
    (isLargestFirst ? b.value - a.value : a.value - b.value) || b.id - a.id;
  const { delta, gone } = column;
  const deltaHits = delta.owners
    .map((id, i): ValuedHit => ({ id, value: delta.values[i]! }))
    .filter((hit) => containsRow(hits, hit.id) && (after === undefined || order(hit, after) > 0))
    .sort(order);
  const sorted = asBitmap(removeRanges(hits, gone));
  let nextDelta = 0;
  const steps = isLargestFirst ? fromLargest(column, after?.value) : fromSmallest(column, after?.value);
  for (const hit of steps) {
    if (!containsRow(sorted, hit.id) || (after !== undefined && order(hit, after) <= 0)) continue;
    for (; nextDelta < deltaHits.length && order(deltaHits[nextDelta]!, hit) < 0; nextDelta++)
      yield deltaHits[nextDelta]!;
    yield hit;
  }
  yield* deltaHits.slice(nextDelta);
}

/** Equal numbers are in row order: the newest is the last. */
function* fromSmallest({ owners, values }: NumericColumn, from = Number.NEGATIVE_INFINITY): Generator<ValuedHit> {
  for (let start = lowerBoundOfValue(values, from); start < values.length; ) {
    const value = values[start]!;
    let end = start + 1;
    while (end < values.length && values[end] === value) end++;
    for (let i = end - 1; i >= start; i--) yield { id: owners[i]!, value };
    start = end;
  }
}

function* fromLargest({ owners, values }: NumericColumn, from = Number.POSITIVE_INFINITY): Generator<ValuedHit> {
  for (let i = upperBoundOfValue(values, from) - 1; i >= 0; i--) yield { id: owners[i]!, value: values[i]! };
}

/** Numbers in ascending order, of which those count whose owner is among the hits. */
interface SortedNumbers {
  readonly owners: ArrayLike<number>;
  readonly values: ArrayLike<number>;
  readonly hits: DocIdSet;
}

/** The numbers of some hits at the paths of a facet. */
export class HitNumbers {
  readonly #parts: readonly SortedNumbers[];

  constructor(columns: readonly NumericColumn[], hits: DocIdSet) {
    this.#parts = columns.flatMap(({ owners, values, gone, delta }) => {
      const base = { owners, values, hits: asBitmap(removeRanges(hits, gone)) };
      return delta.owners.length === 0 ? [base] : [base, { ...sortedByValue(delta), hits: asBitmap(hits) }];
    });
  }

  /** Returns the smallest number greater than `above`, undefined if there is none. */
  smallest(above = Number.NEGATIVE_INFINITY): number | undefined {
    const candidates = this.#parts.flatMap(({ owners, values, hits }) => {
      for (let i = upperBoundOfValue(values, above); i < values.length; i++) {
        if (containsRow(hits, owners[i]!)) return [values[i]!];
      }
      return [];
    });
    return candidates.length === 0 ? undefined : leastOf(candidates);
  }

  largest(): number | undefined {
    const candidates = this.#parts.flatMap(({ owners, values, hits }) => {
      for (let i = values.length - 1; i >= 0; i--) if (containsRow(hits, owners[i]!)) return [values[i]!];
      return [];
    });
    return candidates.length === 0 ? undefined : greatestOf(candidates);
  }

  /**
   * Returns for each step between two ascending edges the number of hits with a number in it; the upper edge is
   * excluded.
   */
  countSteps(edges: readonly number[]): Int32Array {
    const counts = new Int32Array(edges.length - 1);
    // For each owner the last step, from 1, in which it was counted, because it may have several numbers there.
    const lastCountedStep = new Uint32Array(this.#parts.reduce((end, { hits }) => Math.max(end, rowsEnd(hits)), 0));
    for (let step = 0; step < counts.length; step++) {
      for (const { owners, values, hits } of this.#parts) {
        const end = lowerBoundOfValue(values, edges[step + 1]!);
        for (let i = lowerBoundOfValue(values, edges[step]!); i < end; i++) {
          const owner = owners[i]!;
          if (!containsRow(hits, owner) || lastCountedStep[owner] === step + 1) continue;
          lastCountedStep[owner] = step + 1;
          counts[step]! += 1;
        }
      }
    }
    return counts;
  }
}

/** Returns a number greater than all rows of a set. */
function rowsEnd(rows: DocIdSet): number {
  return rows.kind === "ids" ? (rows.ids.at(-1) ?? -1) + 1 : rows.bits.length * 32;
}

function sortedByValue({ owners, values }: NumericColumn["delta"]): Pick<SortedNumbers, "owners" | "values"> {
  const order = Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]!);
  return { owners: order.map((i) => owners[i]!), values: order.map((i) => values[i]!) };
}
