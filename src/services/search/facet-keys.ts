/** Keys of facets: parsed from the values of parameters, and described for people. */
import { findUnit, plainDashes, type Unit, type Units } from "../../core/catalog/units.js";
import {
  binKeys,
  bucketEnds,
  numberRange,
  orderedEnds,
  type RangeEnds,
  rangeKey,
  splitRange,
} from "../../query/index-model/buckets.js";
import { facetBuckets, type SearchedFacet } from "../../query/index-model/declared-facets.js";
import { parseAmount, toCanonical } from "../../query/text/amounts.js";

type Histogram = SearchedFacet & { readonly kind: "histogram" };

/** The key in canonical form, as in the index and in links; or a description of the values that the parameter takes. */
type ParsedKey = { readonly key: string } | { readonly takes: string };

/**
 * Parses a value of a facet's parameter. Each text or id is a valid key, even if no record has it. Years and histograms
 * also take ranges, histograms in any unit of their dimension: `0.3nM..20nM` is `3e-10..2e-8`.
 */
export function readFacetKey(facet: SearchedFacet, text: string, units: Units): ParsedKey {
  // Keyboards of phones replace two dots with an ellipsis.
  const range = text.replace(/[…‥]/u, "..");
  if (facet.kind === "histogram") return readNumberKey(facet, range, units);
  const buckets = facetBuckets(facet);
  if (buckets.kind !== "year") return { key: text };
  const key = plainDashes(range);
  if (bucketEnds(buckets, key) !== undefined) return { key };
  return {
    takes: 'a year such as "2024", or a range of years or days such as "2020..2024", "2024-05-17.." or "..2020"',
  };
}

function readNumberKey(facet: Histogram, text: string, units: Units): ParsedKey {
  const ends = readEnds(text, dimensionOf(facet, units), units);
  if (ends === undefined) return { takes: describeForm(facet, units) };
  const isSame = (key: string): boolean => {
    const { from, to } = numberRange(key) ?? {};
    return from === ends.from && to === ends.to;
  };
  return { key: binKeys(facet.edges ?? []).find(isSame) ?? rangeKey(ends) };
}

/** Returns the dimension of the facet's numbers if their unit is canonical, so that other units can be converted. */
function dimensionOf({ unit }: Histogram, units: Units): string | undefined {
  const declared = unit === undefined ? undefined : findUnit(units, unit);
  const dimension = declared && units.dimensions.get(declared.dimension);
  return dimension?.canonical === declared?.name ? dimension?.name : undefined;
}

/** Parses the ends of a range. A number without a unit has the unit of the other end. */
function readEnds(text: string, dimension: string | undefined, units: Units): RangeEnds | undefined {
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
function describeForm(facet: Histogram, units: Units): string {
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
export function describeRange({ from, to }: RangeEnds, unit?: string): string {
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
