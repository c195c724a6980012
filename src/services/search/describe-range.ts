import type { RangeEnds } from "../../query/index-model/range-keys.js";

/** A range of numbers for people: `< 1 pM`, `1 nM – 10 nM`, `≥ 10 mM`. The upper end is not part of it. */
export function describeRange({ from, to }: RangeEnds, unit?: string): string {
  if (from === undefined) return to === undefined ? "" : `< ${describeNumber(to, unit)}`;
  if (to === undefined) return `≥ ${describeNumber(from, unit)}`;
  return `${describeNumber(from, unit)} – ${describeNumber(to, unit)}`;
}

/** Units that people read with a prefix. */
const PREFIXED: ReadonlySet<string> = new Set([
  ...["M", "mol", "g", "Da", "L", "l", "m", "s", "Hz", "V", "A", "J", "W", "Pa", "N", "K"],
]);

const PREFIXES: Readonly<Record<number, string>> = {
  ...{ [-18]: "a", [-15]: "f", [-12]: "p", [-9]: "n", [-6]: "µ", [-3]: "m" },
  ...{ 0: "", 3: "k", 6: "M", 9: "G", 12: "T" },
};

/** A number with its unit, the unit with an SI prefix where it takes one: 1e-9 and `M` is `1 nM`. */
export function describeNumber(value: number, unit?: string): string {
  if (unit === undefined) return String(value);
  const [mantissa = "", exponent = ""] = value.toExponential().split("e");
  const thousands = Math.floor(Number(exponent) / 3) * 3;
  const prefix = PREFIXED.has(unit) ? PREFIXES[thousands] : undefined;
  // The point is moved in the text: a division would show its error.
  return prefix === undefined
    ? `${value} ${unit}`
    : `${Number(`${mantissa}e${Number(exponent) - thousands}`)} ${prefix}${unit}`;
}
