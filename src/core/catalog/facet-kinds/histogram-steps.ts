/** Equal steps of a histogram, whose edges depend on the counted numbers. */
import type { Scale } from "./facet-kind.js";
import { binKeys } from "./histogram.js";

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
