import type { DeclaredObject } from "../../declarations/declared.js";
import { parseAmount, toCanonical } from "../../units/amounts.js";
import { findUnit, type Unit, type Units } from "../../units/units.js";
import type { RangeEnds, RangeKind, Scale } from "./facet-kind.js";
import { makeEnds, orderedEnds, rangeKey, readRange, selectRange, splitRange } from "./range-keys.js";

const SCALES: readonly Scale[] = ["linear", "log"];

/** Facet that counts numbers in ranges. */
interface HistogramValues {
  readonly kind: "histogram";
  /**
   * Ascending bounds of the buckets, at least one. Absent: equal steps between the minimum and the maximum of the hits.
   */
  readonly edges?: readonly number[];
  /** Steps have the same difference (linear) or the same factor (log). */
  readonly scale: Scale;
  /** Unit of the numbers, for labels: `M`. */
  readonly unit?: string;
}

/** Buckets of numbers: between declared edges, or in equal steps. */
export type HistogramBuckets = BinBuckets | StepBuckets;

/** Numbers between ascending edges, the lower one included: `1..10`; below the first `..1`, from the last `100..`. */
interface BinBuckets {
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

/** Kind of facet that counts numbers in ranges. */
export const HISTOGRAM: RangeKind<HistogramValues, HistogramBuckets, BinBuckets> = {
  leafType: "number",
  noun: "a histogram",
  counted: "numbers",
  description: "ranges of numbers",
  options: ["edges", "scale", "unit"],
  hasSteps: true,
  isNested: false,
  isQueryValue: false,
  ranges: {
    keyOf: ({ edges, keys }, number) => keys[edges.filter((edge) => edge <= number).length]!,
    endsOf: binEnds,
    isBucket: ({ keys }, key) => keys.includes(key),
  },
  isDefault: () => true,
  compile(facet, { unit: canonical }) {
    const edges = facet?.has("edges") ? declaredEdges(facet) : undefined;
    const unit = facet?.optionalText("unit") ?? canonical;
    if (canonical !== undefined && unit !== canonical) {
      facet?.note(
        "unit",
        `the numbers are counted in ${canonical}: give the edges in ${canonical}, and leave out the unit`,
      );
    }
    return {
      kind: "histogram",
      scale: scaleOf(facet, edges),
      ...(edges === undefined ? {} : { edges }),
      ...(unit === undefined ? {} : { unit }),
    };
  },
  describe({ edges, scale, unit }) {
    const steps = edges === undefined ? "equal steps" : `the edges ${edges.join(", ")}`;
    return `a ${scale} histogram with ${steps}${unit === undefined ? "" : ` in ${unit}`}`;
  },
  makeBuckets: ({ edges, scale }, steps) =>
    steps === undefined && edges !== undefined
      ? makeBins(edges)
      : { kind: "histogram", form: "steps", count: steps ?? STEPS_DEFAULT, scale },
  select: (_, key) => selectRange("number", binEnds(key)),
  readKey(values, text, units) {
    const ends = readAmounts(text, dimensionOf(values, units), units);
    if (ends === undefined) return { takes: describeForm(values, units) };
    const isSame = (key: string): boolean => {
      const { from, to } = binEnds(key) ?? {};
      return from === ends.from && to === ends.to;
    };
    return { key: binKeys(values.edges ?? []).find(isSame) ?? rangeKey(ends) };
  },
  labelOf({ unit }, key) {
    const ends = binEnds(key);
    return ends === undefined ? { label: key } : { label: describeRange(ends, unit), ...ends };
  },
  describeCounts: ({ unit, scale }, { min, max }) => ({
    unit,
    scale,
    min: min ?? null,
    max: max ?? null,
  }),
};

function declaredEdges(facet: DeclaredObject): readonly number[] | undefined {
  const edges = facet.raw("edges");
  const isValid =
    Array.isArray(edges) &&
    edges.length > 0 &&
    edges.every((edge, i) => Number.isFinite(edge) && (i === 0 || edge > edges[i - 1]));
  if (isValid) return edges;
  facet.note("edges", "the edges of a histogram are ascending numbers: {label: ..., kind: histogram, edges: [1, 10]}");
  return undefined;
}

/**
 * Returns the declared scale. The default is logarithmic if there are at least three edges, all are positive and each
 * is at least twice the previous one; else linear.
 */
function scaleOf(facet: DeclaredObject | undefined, edges: readonly number[] = []): Scale {
  if (facet?.has("scale")) {
    const text = facet.optionalText("scale");
    const scale = SCALES.find((each) => each === text);
    if (scale === undefined && text !== undefined) {
      facet.note("scale", `unknown scale "${text}"; known are ${SCALES.join(", ")}`);
    }
    return scale ?? "linear";
  }
  const grows = edges.every((edge, i) => edge > 0 && (i === 0 || edge >= 2 * edges[i - 1]!));
  return edges.length > 2 && grows ? "log" : "linear";
}

/** Returns the buckets between ascending edges. */
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
function binEnds(key: string): RangeEnds | undefined {
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

/** Describes a range of numbers: `< 1 pM`, `1 nM – 10 nM`, `≥ 10 mM`. The upper end is excluded. */
export function describeRange({ from, to }: { readonly from?: number; readonly to?: number }, unit?: string): string {
  if (from === undefined) return to === undefined ? "" : `< ${describeNumber(to, unit)}`;
  if (to === undefined) return `≥ ${describeNumber(from, unit)}`;
  return `${describeNumber(from, unit)} – ${describeNumber(to, unit)}`;
}

/** Units that are shown with an SI prefix. */
const PREFIXED: ReadonlySet<string> = new Set("M mol g Da L l m s Hz V A J W Pa N K".split(" "));

/** SI prefixes by exponent. */
const PREFIXES: ReadonlyMap<number, string> = new Map([
  [-18, "a"],
  [-15, "f"],
  [-12, "p"],
  [-9, "n"],
  [-6, "µ"],
  [-3, "m"],
  [0, ""],
  [3, "k"],
  [6, "M"],
  [9, "G"],
  [12, "T"],
]);

/** Describes a number with its unit, with an SI prefix if the unit takes one: 1e-9 and `M` is `1 nM`. */
export function describeNumber(value: number, unit?: string): string {
  if (unit === undefined) return String(value);
  const [mantissa = "", exponent = ""] = value.toExponential().split("e");
  const thousands = Math.floor(Number(exponent) / 3) * 3;
  const prefix = PREFIXED.has(unit) ? PREFIXES.get(thousands) : undefined;
  // Moves the point in the text, because a division would show rounding errors.
  return prefix === undefined
    ? `${value} ${unit}`
    : `${Number(`${mantissa}e${Number(exponent) - thousands}`)} ${prefix}${unit}`;
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

/** Steps with their counts. No other bucket exists. */
interface CountedSteps {
  readonly buckets: readonly { readonly key: string; readonly count: number }[];
  readonly other: 0;
}

/**
 * Returns all steps in ascending order, also empty ones, as needed to draw the histogram.
 * @param below number of hits below the first edge, which only a log scale leaves out
 */
export function listSteps(edges: readonly number[], counts: ArrayLike<number>, below: number): CountedSteps {
  const [lowest, ...keys] = binKeys(edges).slice(0, -1);
  const steps = keys.map((key, step) => ({ key, count: counts[step]! }));
  return { buckets: below === 0 ? steps : [{ key: lowest!, count: below }, ...steps], other: 0 };
}
