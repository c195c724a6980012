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
    const edges = facet?.has("edges") ? edgesOf(facet) : undefined;
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

function edgesOf(facet: DeclaredObject): readonly number[] | undefined {
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
