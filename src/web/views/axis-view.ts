/** The numbers of a series on a logarithmic axis, with the results that they belong to. */
import type { Section } from "../../core/catalog/description.js";
import type { Model } from "../../core/catalog/types.js";
import type { Result } from "../../core/citable/citable.js";
import { groupElements } from "../../core/citable/derived-quantities.js";
import { measuredPart } from "../../core/citable/describe-record.js";
import { convertNumber, type DepositedNumber, readResult } from "../../core/citable/record-results.js";
import { valuesAt } from "../../core/citable/values-at.js";
import { isObject, type Json, own } from "../../core/json.js";
import { findUnit, type Unit } from "../../core/units/units.js";
import { richSymbol } from "../notation/names.js";
import { type Quantity, readQuantity } from "../notation/quantity.js";
import { tickText } from "../notation/ranges.js";
import type { RichText } from "../notation/rich-text.js";
import { itemsAt } from "./value-text.js";
import type { Item } from "./value-view.js";

/** An axis with the numbers of a series. */
export interface Axis {
  /** Title of the numbers. */
  readonly title: string;
  readonly points: readonly AxisPoint[];
  readonly marks: readonly AxisPoint[];
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
  /** Symbol of the marks. */
  readonly symbol: RichText;
}

interface AxisPoint {
  /** Place on the axis, from 0 to 1. */
  readonly at: number;
  readonly text: string;
}

/** Maximum numbers of points, of marks and of ticks. */
const POINTS_MAX = 200;
const MARKS_MAX = 4;
const TICKS_MAX = 10;
/** Factor by which an axis is longer than its numbers, at each end. */
const MARGIN = 2;

/** Returns the axis that a section declares. Undefined if there are not at least two different positive numbers. */
export function axisOf(list: Item, { axis }: Section, model: Model): Axis | undefined {
  if (axis === undefined) return undefined;
  const { units } = model;
  const metadata = measuredPart(list.context.whole, model);
  const quantity = model.quantities.find(({ name }) => name === axis.mark);
  const kind = quantity?.where?.get(model.describe.results?.kind ?? "");
  const results = kind === undefined ? [] : markedResults(list.context.whole, kind, model);
  const measured = valuesAt({ metadata }, axis.path).flatMap((value): readonly DepositedNumber[] => {
    const [number, unit] = isObject(value) ? [own(value, "value"), own(value, "unit")] : [];
    return typeof number === "number" && typeof unit === "string" && number > 0 ? [{ value: number, unit }] : [];
  });
  const unit = [...results, ...measured].map((each) => findUnit(units, each.unit ?? "")).find(Boolean);
  const canonical = unit && units.units.get(units.dimensions.get(unit.dimension)!.canonical);
  if (canonical === undefined) return undefined;
  const [points, marks] = [measured, results].map((each) => placed(each, canonical, model)) as [Placed[], Placed[]];
  if (points.length < 2) return undefined;
  const logs = [...points, ...marks].map(({ number }) => Math.log10(number));
  const low = logs.reduce((min, log) => Math.min(min, log)) - Math.log10(MARGIN);
  const high = logs.reduce((max, log) => Math.max(max, log)) + Math.log10(MARGIN);
  const place = (number: number): number => (Math.log10(number) - low) / (high - low);
  const pointOf = ({ number, quantity: { text } }: Placed): AxisPoint => ({ at: place(number), text });
  const step = Math.max(1, Math.ceil((high - low) / TICKS_MAX));
  const first = Math.ceil(low / step) * step;
  const decades = Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, i) => 10 ** (first + i * step));
  // One power of ten alone does not show a scale.
  const [coarse, fine] = [stepsBetween(low, high, [1, 2, 5]), stepsBetween(low, high, [1, 2, 3, 5, 7])];
  const ticks = decades.length > 1 ? decades : coarse.length > 1 ? coarse : fine;
  const symbol = model.fields.get(axis.mark ?? "")?.symbol;
  return {
    title: itemsAt(list, axis.path)[0]?.field.title ?? "",
    points: points.map(pointOf),
    marks: marks.slice(0, MARKS_MAX).map(pointOf),
    ticks: ticks.map((number) => ({ at: place(number), text: tickText(number, { units, unit: canonical.name }) })),
    symbol: symbol === undefined ? [] : richSymbol(symbol),
  };
}

/**
 * Returns the numbers that are one of the factors times a power of ten, between two numbers.
 * @param low decimal logarithm of the lower number, and `high` of the higher one
 */
function stepsBetween(low: number, high: number, factors: readonly number[]): readonly number[] {
  const powers = Array.from({ length: Math.ceil(high) - Math.floor(low) }, (_, i) => Math.floor(low) + i);
  return powers
    .flatMap((power) => factors.map((factor) => Number(`${factor}e${power}`)))
    .filter((number) => Math.log10(number) >= low && Math.log10(number) <= high);
}

/** Returns the results of a kind. Empty if they are about several pairs: an axis does not tell them apart. */
function markedResults(metadata: Json, kind: string, model: Model): readonly Result[] {
  const declared = model.describe.results;
  if (declared === undefined) return [];
  const elements = valuesAt({ metadata }, declared.path)
    .filter(isObject)
    .filter((each) => readResult(each, declared)?.kind === kind);
  const isOnePair = groupElements(elements, declared.path, model).length === 1;
  return isOnePair ? elements.flatMap((each) => readResult(each, declared) ?? []) : [];
}

interface Placed {
  /** In the canonical unit. */
  readonly number: number;
  readonly quantity: Quantity;
}

/** Returns the distinct positive numbers of the dimension of a unit. */
function placed(measured: readonly DepositedNumber[], canonical: Unit, { units }: Model): readonly Placed[] {
  const numbers = new Map<number, Quantity>();
  for (const each of measured) {
    const unit = findUnit(units, each.unit ?? "");
    if (unit?.dimension !== canonical.dimension || each.value === undefined || each.value <= 0) continue;
    const number = convertNumber(each.value, unit, canonical);
    // Numbers near the limits of their type become 0 or infinite.
    if (number <= 0 || !Number.isFinite(number)) continue;
    if (!numbers.has(number)) numbers.set(number, readQuantity(each, units)!);
    if (numbers.size === POINTS_MAX) break;
  }
  return [...numbers].map(([number, quantity]) => ({ number, quantity }));
}
