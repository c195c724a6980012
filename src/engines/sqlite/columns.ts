/** The numbers at one path, of records or of the elements of an array of objects, as things that are kept. */
import { recordOf } from "./element-rows.js";
import { type ElementSpace, NONE } from "./element-space.js";
import type { Thing } from "./looking.js";
import type { Answer } from "./question.js";
import { either, NO_ROWS, type RowRange, type Rows, rowsOfAny, withoutRanges } from "./rows.js";

/** Whose values they are: rows of records, or ordinals of elements. */
export type Owners = "records" | ElementSpace;

/**
 * `owners[i]` has `values[i]`, sorted by value. Changed records are `gone` from there; what they have now stands in
 * `late`, unsorted.
 */
export interface Column {
  readonly owners: Uint32Array;
  readonly values: Float64Array;
  /** Above all sorted owners. */
  readonly end: number;
  readonly gone: readonly RowRange[];
  readonly late: { readonly owners: readonly number[]; readonly values: readonly number[] };
}

/** Share of values that came later at which all are sorted anew, and how many there always may be. */
const LATE_SHARE = 8;
const LATE_MIN = 4_096;
const GONE_MAX = 2_000;

/** `owners[i]` has `values[i]`, in the order of the answer. */
export interface Values {
  readonly owners: Uint32Array;
  readonly values: ArrayLike<number>;
}

/** What an answer says about owners; what stands in no element of the space is left out. */
export function valuesOf({ rows, values = new Float64Array() }: Answer, of: Owners): Values & Pick<Column, "values"> {
  const owners = Uint32Array.from(rows, of === "records" ? recordOf : (row) => of.ordinalOf(row));
  if (!owners.includes(NONE)) return { owners, values };
  return { owners: owners.filter((owner) => owner !== NONE), values: values.filter((_, i) => owners[i] !== NONE) };
}

/** Names the owners in keys of what is kept. */
export const ownerPlace = (owners: Owners): string => (owners === "records" ? owners : `elements ${owners.epoch}`);

export function numberColumn(path: number, of: Owners): Thing<Column> {
  const make = (answer: Answer): Column => {
    const { owners, values } = valuesOf(answer, of);
    const end = owners.reduce((max, owner) => Math.max(max, owner + 1), 0);
    return { owners, values, end, gone: [], late: { owners: [], values: [] } };
  };
  return {
    key: `numbers ${ownerPlace(of)} ${path}`,
    question: { kind: "numbers", path },
    make,
    patch: (before, ranges, found) => patched(before, of === "records" ? ranges : [], make(found)),
    bytesOf: ({ owners, values, gone, late }) =>
      owners.byteLength + values.byteLength + gone.length * 64 + late.owners.length * 32,
  };
}

/** @param ranges of changed records; of elements none, whose ordinals died instead */
function patched(before: Column, ranges: readonly RowRange[], now: Column): Column | undefined {
  const isGone = (owner: number): boolean => ranges.some(({ first, last }) => owner >= first && owner <= last);
  const stays = before.late.owners.map((owner) => !isGone(owner));
  const late = {
    owners: [...before.late.owners.filter((_, i) => stays[i]), ...now.owners],
    values: [...before.late.values.filter((_, i) => stays[i]), ...now.values],
  };
  const gone = [...before.gone, ...ranges.filter(({ first }) => first < before.end)];
  const isTooLate = late.owners.length * LATE_SHARE > before.owners.length + LATE_MIN * LATE_SHARE;
  return isTooLate || gone.length > GONE_MAX ? undefined : { ...before, gone, late };
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
export function ownersBetween({ owners, values, end: last, gone, late }: Column, range: NumberRange): Rows {
  const start = range.takesFrom ? placeOf(values, range.from) : placeAfter(values, range.from);
  const end = range.takesTo ? placeAfter(values, range.to) : placeOf(values, range.to);
  const sorted = start < end ? withoutRanges(rowsOfAny(owners.subarray(start, end), last), gone) : NO_ROWS;
  const isIn = (value: number): boolean =>
    (range.takesFrom ? value >= range.from : value > range.from) &&
    (range.takesTo ? value <= range.to : value < range.to);
  const later = late.owners.filter((_, i) => isIn(late.values[i]!));
  return later.length === 0 ? sorted : either(sorted, rowsOfAny(later));
}

/** Place of the first value that is not below. */
export function placeOf(values: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Place of the first value that is above. */
function placeAfter(values: Float64Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
