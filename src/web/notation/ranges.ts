import { convertNumber } from "../../core/citable/record-results.js";
import { findUnit, type Unit, type Units } from "../../core/units/units.js";
import { type Quantity, readQuantity } from "./quantity.js";
import { spanText } from "./query-parts.js";
import { plainText, type RichText } from "./rich-text.js";
import { shownUnits, unitLabel } from "./unit-choice.js";

/** Bounds of numbers in the unit of a facet; the upper one is excluded. Absent: no bound. */
export interface Bounds {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Unit of some numbers, and how a page shows them. */
export interface RangeUnits {
  readonly units: Units | undefined;
  /** Unit of the numbers. Absent: they have none. */
  readonly unit: string | undefined;
  /** Unit that a reader has chosen. */
  readonly to?: Unit | undefined;
}

/** Writes a range with its unit once, if both bounds have the same: `1–10 nM`, `300 nM – 1 µM`, `7–8`, `< 1 pM`. */
export function rangeText({ from, to }: Bounds, place: RangeUnits): string {
  const [low, high] = [from, to].map((end) => (end === undefined ? undefined : boundOf(end, place)));
  if (low === undefined) return high === undefined ? "" : `< ${high.text}`;
  if (high === undefined) return `≥ ${low.text}`;
  const isShared = plainText(low.unit) === plainText(high.unit);
  const number = isShared ? withoutUnit(low) : low.text;
  return spanText(number, high.text, isShared);
}

const withoutUnit = ({ whole, restWithoutUnit }: Quantity): string => whole + plainText(restWithoutUnit);

/** Returns the only unit in which a page shows the numbers; undefined if the size of each number decides. */
export function onlyUnit({
  units,
  unit,
  to,
}: RangeUnits): { readonly unit: Unit; readonly spelling: string } | undefined {
  if (to !== undefined) return { unit: to, spelling: to.name };
  const choices = units === undefined || unit === undefined ? [] : shownUnits(units, unit);
  return choices.length === 1 ? choices[0] : undefined;
}

/** Reads a bound, which is exact: it has more digits than deposited numbers of its size. */
function boundOf(value: number, place: RangeUnits): Quantity {
  const { units, unit } = place;
  const from = units && findUnit(units, unit ?? "");
  const only = onlyUnit(place);
  if (only === undefined || from === undefined) return readQuantity({ value: exact(value), unit }, units)!;
  const converted = exact(convertNumber(value, from, only.unit));
  return readQuantity({ value: converted, unit: only.spelling }, units, only.unit)!;
}

/** Digits of a bound: more than a scale has, and few enough to hide rounding errors. */
const BOUND_DIGITS = 6;

const exact = (value: number): number => Number(value.toPrecision(BOUND_DIGITS));

/** Writes a number at an axis: with its unit if the size of each number decides on it, and a power of ten as such. */
export function tickText(value: number, place: RangeUnits): string {
  const bound = boundOf(value, place);
  if (onlyUnit(place) === undefined) return bound.text;
  return withoutUnit(bound).replace(/^1 × /, "");
}

/** Returns the unit for the head of an axis. Undefined if there is none, or if each number has its own. */
export function axisUnit(place: RangeUnits): RichText | undefined {
  const { units, unit } = place;
  const only = onlyUnit(place);
  if (only !== undefined) return unitLabel(units, only.spelling);
  const isKnown = units !== undefined && unit !== undefined && findUnit(units, unit) !== undefined;
  return unit === undefined || isKnown ? undefined : unitLabel(units, unit);
}
