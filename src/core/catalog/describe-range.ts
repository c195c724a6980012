/** Ranges of numbers with their unit, as people read them. */

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
