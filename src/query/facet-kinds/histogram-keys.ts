import { describeNumber, describeRange } from "../../core/catalog/describe-range.js";
import type { HistogramValues, Scale } from "../../core/catalog/facet-kinds/histogram.js";
import { findUnit, type Unit, type Units } from "../../core/catalog/units.js";
import { parseAmount, toCanonical } from "../text/amounts.js";
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
    ...(unit === undefined ? {} : { unit }),
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
