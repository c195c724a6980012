import type { DeclaredObject } from "../../declarations/declared.js";
import type { DeclaredKind } from "./declared-kind.js";

/** Scale of the steps and the axis of a histogram. */
export type Scale = (typeof SCALES)[number];
const SCALES = ["linear", "log"] as const;

/** Facet that counts numbers in ranges. */
export interface HistogramValues {
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

export const HISTOGRAM: DeclaredKind<HistogramValues> = {
  leafType: "number",
  noun: "a histogram",
  counted: "numbers",
  description: "ranges of numbers",
  options: ["edges", "scale", "unit"],
  hasSteps: true,
  isNested: false,
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
