import {
  describeNumber,
  describeRange,
  type HistogramValues,
  type Scale,
} from "../../core/catalog/facet-kinds/histogram.js";
import { parseAmount, toCanonical } from "../../core/units/amounts.js";
import { findUnit, type Unit, type Units } from "../../core/units/units.js";
import type { ListedBuckets } from "../index-model/list-buckets.js";
import type { RangeMeaning } from "./facet-meaning.js";
import { makeEnds, orderedEnds, type RangeEnds, rangeClause, rangeKey, readRange, splitRange } from "./range-keys.js";

/** Buckets of numbers: between declared edges, or in equal steps. */
export type HistogramBuckets = BinBuckets | StepBuckets;

/** Numbers between ascending edges, the lower one included: `1..10`; below the first `..1`, from the last `100..`. */
export interface BinBuckets {
  readonly kind: "histogram";
  readonly form: "bins";
  readonly edges: readonly number[];
  readonly keys: readonly string[];
}

/** Numbers in `count` equal steps between the smallest and the largest counted number: `stepEdges`. */
export interface StepBuckets {
  readonly kind: "histogram";
  readonly form: "steps";
  readonly count: number;
  readonly scale: Scale;
}

/** Number of steps of a histogram that declares no edges. */
const STEPS_DEFAULT = 24;

export const HISTOGRAM: RangeMeaning<HistogramValues, HistogramBuckets, BinBuckets> = {
  ranges: {
    keyOf: ({ edges, keys }, number) => keys[edges.filter((edge) => edge <= number).length]!,
    endsOf,
    isBucket: ({ keys }, key) => keys.includes(key),
  },
  isQueryValue: false,
  makeBuckets: ({ edges, scale }, steps) =>
    steps === undefined && edges !== undefined
      ? makeBins(edges)
      : { kind: "histogram", form: "steps", count: steps ?? STEPS_DEFAULT, scale },
  clauseOf: (_, paths, key) => rangeClause("number", paths, endsOf(key)),
  readKey(values, text, units) {
    const ends = readAmounts(text, dimensionOf(values, units), units);
    if (ends === undefined) return { takes: describeForm(values, units) };
    const isSame = (key: string): boolean => {
      const { from, to } = endsOf(key) ?? {};
      return from === ends.from && to === ends.to;
    };
    return { key: binKeys(values.edges ?? []).find(isSame) ?? rangeKey(ends) };
  },
  labelOf({ unit }, key) {
    const ends = endsOf(key);
    return ends === undefined ? { label: key } : { label: describeRange(ends, unit), ...ends };
  },
  describeCounts: ({ unit, scale }, { min, max }) => ({
    unit,
    scale,
    min: min ?? null,
    max: max ?? null,
  }),
};

export function makeBins(edges: readonly number[]): BinBuckets {
  return { kind: "histogram", form: "bins", edges, keys: binKeys(edges) };
}

/** Returns all keys of bins, ascending. */
export function binKeys(edges: readonly number[]): readonly string[] {
  return [...edges, undefined].map((to, bin) => rangeKey(makeEnds(edges[bin - 1], to), edges));
}

/** A number as JSON and `rangeKey` write it. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu;

/** Parses a range of plain numbers. Undefined for any other text. */
function endsOf(key: string): RangeEnds | undefined {
  return readRange(key, (text) => (NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined));
}

/** Returns the dimension of the facet's numbers if their unit is canonical, so that other units can be converted. */
function dimensionOf({ unit }: HistogramValues, units: Units): string | undefined {
  const declared = unit === undefined ? undefined : findUnit(units, unit);
  const dimension = declared && units.dimensions.get(declared.dimension);
  return dimension?.canonical === declared?.name ? dimension?.name : undefined;
}

/** Parses the ends of a range in any unit. A number without a unit has the unit of the other end. */
function readAmounts(text: string, dimension: string | undefined, units: Units): RangeEnds | undefined {
  const texts = splitRange(text);
  if (texts === undefined) return undefined;
  const amounts = [texts.from, texts.to].map((end) => (end === "" ? undefined : parseAmount(end)));
  if ((texts.from !== "" && amounts[0] === undefined) || (texts.to !== "" && amounts[1] === undefined))
    return undefined;
  const unit = amounts.find((amount) => amount !== undefined && amount.unit !== "")?.unit;
  const numbers: number[] = [];
  for (const amount of amounts) {
    if (amount === undefined) continue;
    const number = convert(amount.number, amount.unit || unit, dimension, units);
    if (number === undefined) return undefined;
    numbers.push(number);
  }
  return orderedEnds(texts.from === "" ? undefined : numbers[0], texts.to === "" ? undefined : numbers.at(-1));
}

function convert(
  number: number,
  unit: string | undefined,
  dimension: string | undefined,
  units: Units,
): number | undefined {
  if (unit === undefined) return number + 0;
  const declared: Unit | undefined = findUnit(units, unit);
  return declared === undefined || declared.dimension !== dimension ? undefined : toCanonical(number, declared);
}

/** Describes valid values, with bounds of the facet as examples. */
function describeForm(facet: HistogramValues, units: Units): string {
  const { edges = [], unit } = facet;
  const [low = 1, high = low * 10] = edges.slice(Math.max(0, Math.floor(edges.length / 2) - 1));
  const plain = `a range such as "${rangeKey({ from: low, to: high })}", "${rangeKey({ from: low })}" or "..${high}"`;
  if (unit === undefined) return `${plain} (the upper end is left out)`;
  const inUnits =
    dimensionOf(facet, units) === undefined ? undefined : [low, high].map((end) => describeNumber(end, unit));
  const withUnits = inUnits === undefined ? "" : `, or with units: "${inUnits.join("..").replaceAll(" ", "")}"`;
  return `${plain} in ${unit} (the upper end is left out)${withUnits}`;
}

/** Range of the steps. On a log scale, the smallest number is the smallest one above zero. */
interface StepRange {
  readonly smallest: number;
  readonly largest: number;
}

/** Number of digits of a step that its edges keep: an edge is off by less than a hundredth of a step. */
const STEP_DIGITS = 3;

/** Maximum error of a logarithm. */
const LOG_ERROR = 1e-9;

/** Maximum number of digits of a number. */
const DIGITS_MAX = 15;

/**
 * Returns the edges of the steps, one more than there are steps. They are rounded so that people can read and send
 * them: the first one down, the last one up to above the largest number. If the numbers hardly differ, rounded edges
 * that are equal are merged, so there are fewer steps.
 */
export function stepEdges(
  { count, scale }: { readonly count: number; readonly scale: Scale },
  { smallest, largest }: StepRange,
): readonly number[] {
  const isLog = scale === "log" && smallest > 0;
  const edgeAt = (step: number): number =>
    isLog
      ? smallest * (largest / smallest) ** (step / count)
      : smallest * (1 - step / count) + largest * (step / count);
  const finest = isLog
    ? (largest / smallest) ** (1 / count) - 1
    : (largest - smallest) / count / Math.max(Math.abs(smallest), Math.abs(largest));
  const digits = digitsFor(finest);
  const inner = Array.from({ length: count - 1 }, (_, step) => Number(edgeAt(step + 1).toPrecision(digits)));
  const [first, last] = [roundedDown(smallest, digits), above(largest, digits)];
  const between = inner.filter((edge) => edge > first && edge < last).toSorted((a, b) => a - b);
  return [first, ...new Set(between), last];
}

/**
 * Returns the number of digits of edges. A step that is a power of ten needs one more digit than a slightly larger
 * step: otherwise the last edge, which is above the largest number, would be off by a hundredth.
 *
 * @param finest a step, as a share of the largest number
 */
function digitsFor(finest: number): number {
  const digits = STEP_DIGITS + Math.floor(-Math.log10(finest) + LOG_ERROR) + 1;
  return Math.min(DIGITS_MAX, Math.max(STEP_DIGITS, Number.isFinite(digits) ? digits : DIGITS_MAX));
}

function roundedDown(value: number, digits: number): number {
  const rounded = Number(value.toPrecision(digits));
  return rounded <= value ? rounded : Number((rounded - unitInLastPlace(value, digits)).toPrecision(digits));
}

function above(value: number, digits: number): number {
  const rounded = Number(value.toPrecision(digits));
  if (rounded > value) return rounded;
  const next = Number((rounded + unitInLastPlace(value, digits)).toPrecision(digits));
  return next > value ? next : value + Math.max(Math.abs(value) * Number.EPSILON, Number.MIN_VALUE);
}

function unitInLastPlace(value: number, digits: number): number {
  return 10 ** (Math.floor(Math.log10(Math.abs(value) || 1)) - digits + 1);
}

/**
 * Returns all steps in ascending order, also empty ones, as needed to draw the histogram.
 * @param below number of hits below the first edge, which only a log scale leaves out
 */
export function listSteps(edges: readonly number[], counts: ArrayLike<number>, below: number): ListedBuckets {
  const [lowest, ...keys] = binKeys(edges).slice(0, -1);
  const steps = keys.map((key, step) => ({ key, count: counts[step]! }));
  return { buckets: below === 0 ? steps : [{ key: lowest!, count: below }, ...steps], other: 0 };
}
