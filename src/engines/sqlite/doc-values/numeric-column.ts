/** The numbers at one path, of records or of the elements of an array of objects, as cached views. */

import { lowerBoundOfValue, upperBoundOfValue } from "../bitmaps/binary-search.js";
import { type DocIdRange, type DocIdSet, EMPTY_SET, or, removeRanges, setOf } from "../bitmaps/doc-id-set.js";
import type { ScanResult } from "../cache/index-scan.js";
import type { CachedView } from "../cache/snapshot-cache.js";
import { recordOf } from "../documents/element-row-id.js";
import { type NestedOrdinals, NO_ORDINAL } from "./nested-ordinals.js";

/** Whose values they are: rows of records, or ordinals of elements. */
export type Owners = "records" | NestedOrdinals;

/**
 * `owners[i]` has `values[i]`, sorted by value. Changed records are `gone` from there; what they have now stands in
 * `delta`, unsorted.
 */
export interface NumericColumn {
  readonly owners: Uint32Array;
  readonly values: Float64Array;
  /** Above all sorted owners. */
  readonly end: number;
  readonly gone: readonly DocIdRange[];
  readonly delta: { readonly owners: readonly number[]; readonly values: readonly number[] };
}

/** Share of values that came later at which all are sorted anew, and how many there always may be. */
const DELTA_SHARE = 8;
const DELTA_MIN = 4_096;
const DELETED_MAX = 2_000;

/** `owners[i]` has `values[i]`, in the order of the answer. */
export interface OwnerValues {
  readonly owners: Uint32Array;
  readonly values: ArrayLike<number>;
}

/** What an answer says about owners; what stands in no element of the space is left out. */
export function ownerValues(
  { rows, values = new Float64Array() }: ScanResult,
  of: Owners,
): OwnerValues & Pick<NumericColumn, "values"> {
  const owners = Uint32Array.from(rows, of === "records" ? recordOf : (row) => of.ordinalOf(row));
  if (!owners.includes(NO_ORDINAL)) return { owners, values };
  return {
    owners: owners.filter((owner) => owner !== NO_ORDINAL),
    values: values.filter((_, i) => owners[i] !== NO_ORDINAL),
  };
}

/** Names the owners in keys of what is kept. */
export const ownersKey = (owners: Owners): string => (owners === "records" ? owners : `elements ${owners.epoch}`);

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
    patch: (before, ranges, found) => patched(before, of === "records" ? ranges : [], make(found)),
    bytesOf,
  };
}

/** Of each record the smallest or the largest number at some paths; records with the same one in the order of rows. */
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
    patch: (before, ranges, found) => patched(before, ranges, make(found)),
    bytesOf,
  };
}

const bytesOf = ({ owners, values, gone, delta }: NumericColumn): number =>
  owners.byteLength + values.byteLength + gone.length * 64 + delta.owners.length * 32;

/** @param ranges of changed records; of elements none, whose ordinals died instead */
function patched(before: NumericColumn, ranges: readonly DocIdRange[], now: NumericColumn): NumericColumn | undefined {
  const isGone = (owner: number): boolean => ranges.some(({ first, last }) => owner >= first && owner <= last);
  const stays = before.delta.owners.map((owner) => !isGone(owner));
  const delta = {
    owners: [...before.delta.owners.filter((_, i) => stays[i]), ...now.owners],
    values: [...before.delta.values.filter((_, i) => stays[i]), ...now.values],
  };
  const gone = [...before.gone, ...ranges.filter(({ first }) => first < before.end)];
  const isTooLarge = delta.owners.length * DELTA_SHARE > before.owners.length + DELTA_MIN * DELTA_SHARE;
  return isTooLarge || gone.length > DELETED_MAX ? undefined : { ...before, gone, delta };
}

/** What of a column is asked for; NaN is no number. */
export interface NumberRange {
  readonly from: number;
  readonly takesFrom: boolean;
  readonly to: number;
  readonly takesTo: boolean;
}

export const EVERY_NUMBER: NumberRange = {
  from: Number.NEGATIVE_INFINITY,
  takesFrom: true,
  to: Number.POSITIVE_INFINITY,
  takesTo: true,
};

/** Who has a number in the range. */
export function ownersBetween({ owners, values, end: last, gone, delta }: NumericColumn, range: NumberRange): DocIdSet {
  const start = range.takesFrom ? lowerBoundOfValue(values, range.from) : upperBoundOfValue(values, range.from);
  const end = range.takesTo ? upperBoundOfValue(values, range.to) : lowerBoundOfValue(values, range.to);
  const sorted = start < end ? removeRanges(setOf(owners.subarray(start, end), last), gone) : EMPTY_SET;
  const isIn = (value: number): boolean =>
    (range.takesFrom ? value >= range.from : value > range.from) &&
    (range.takesTo ? value <= range.to : value < range.to);
  const later = delta.owners.filter((_, i) => isIn(delta.values[i]!));
  return later.length === 0 ? sorted : or(sorted, setOf(later));
}
