/** The values at one path, of records or of the elements of an array of objects, as things that are kept. */
import { recordOf } from "./element-rows.js";
import { type ElementSpace, NONE } from "./element-space.js";
import type { Thing } from "./looking.js";
import type { Answer } from "./question.js";
import { either, hasRow, lowerBound, NO_ROWS, type RowRange, type Rows, rowsOfAny, withoutRanges } from "./rows.js";

/** Whose values they are: rows of records, or ordinals of elements. */
export type Owners = "records" | ElementSpace;

/**
 * `owners[i]` has `values[i]`. Sorted: numbers by value, keys by owner. Changed records are `gone` from there; what
 * they have now stands in `late`, unsorted.
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

export function numberColumn(path: number, owners: Owners): Thing<Column> {
  return column("numbers", path, owners);
}

/** Each owner has a key once. */
export function keyColumn(path: number, owners: Owners): Thing<Column> {
  const thing = column("keys", path, owners);
  return { ...thing, make: (answer) => withoutRepeats(thing.make(answer)) };
}

function withoutRepeats(column: Column): Column {
  const { owners, values } = column;
  const isRepeat = (at: number): boolean => {
    for (let before = at - 1; owners[before] === owners[at]; before--) if (values[before] === values[at]) return true;
    return false;
  };
  const kept = owners.map((_, at) => (isRepeat(at) ? 0 : 1));
  if (!kept.includes(0)) return column;
  return { ...column, owners: owners.filter((_, at) => kept[at]), values: values.filter((_, at) => kept[at]) };
}

function column(kind: "numbers" | "keys", path: number, of: Owners): Thing<Column> {
  const ownerOf = of === "records" ? recordOf : (row: number) => of.ordinalOf(row);
  const place = of === "records" ? "records" : `elements ${of.epoch}`;
  const make = ({ rows, values = new Float64Array() }: Answer): Column => {
    const all = Uint32Array.from(rows, ownerOf);
    const isWhole = !all.includes(NONE);
    const owners = isWhole ? all : all.filter((owner) => owner !== NONE);
    const end = owners.reduce((max, owner) => Math.max(max, owner + 1), 0);
    return {
      owners,
      values: isWhole ? values : values.filter((_, i) => all[i] !== NONE),
      end,
      gone: [],
      late: { owners: [], values: [] },
    };
  };
  return {
    key: `${kind} ${place} ${path}`,
    question: { kind, path },
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

/** Who has a key that counts. @param counts 1 for each key that does */
export function ownersOfKeys({ owners, values, end, gone, late }: Column, counts: Uint8Array): Rows {
  const having = new Uint32Array(owners.length);
  let n = 0;
  for (let i = 0; i < owners.length; i++) if (counts[values[i]!] === 1) having[n++] = owners[i]!;
  const later = late.owners.filter((_, i) => counts[late.values[i]!] === 1);
  return either(withoutRanges(rowsOfAny(having.subarray(0, n), end), gone), rowsOfAny(later));
}

/** Place of the first value that is not below. */
export function placeOf(values: Float64Array, value: number): number {
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

/** Calls `take` for each of the owners that has keys, with places in `keys`. */
export function eachOwner(
  { owners, values, gone, late }: Column,
  of: Rows,
  take: (owner: number, keys: ArrayLike<number>, start: number, end: number) => void,
): void {
  const sorted = withoutRanges(of, gone);
  const endOf = (start: number): number => {
    let end = start + 1;
    while (owners[end] === owners[start] && end < owners.length) end++;
    return end;
  };
  if (sorted.kind === "ids") {
    for (const owner of sorted.ids) {
      const start = lowerBound(owners, owner);
      if (owners[start] === owner) take(owner, values, start, endOf(start));
    }
  } else {
    const { bits } = sorted;
    for (let at = 0; at < owners.length; ) {
      const owner = owners[at]!;
      const end = endOf(at);
      if (owner >>> 5 < bits.length && ((bits[owner >>> 5]! >>> (owner & 31)) & 1) === 1) take(owner, values, at, end);
      at = end;
    }
  }
  const inLate = new Map<number, Set<number>>();
  for (const [i, owner] of late.owners.entries()) {
    const known = inLate.get(owner) ?? new Set();
    inLate.set(owner, known.add(late.values[i]!));
  }
  for (const [owner, keys] of inLate) if (hasRow(of, owner)) take(owner, [...keys], 0, keys.size);
}
