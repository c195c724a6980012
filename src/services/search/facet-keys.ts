/** Values of a facet's parameter as people and links write them. */
import { findUnit, plainDashes, type Unit, type Units } from "../../core/catalog/units.js";
import { binKeys, bucketEnds } from "../../query/index-model/buckets.js";
import { bucketsOf, type SearchedFacet } from "../../query/index-model/declared-facets.js";
import { numberRange, orderedEnds, type RangeEnds, rangeKey, splitRange } from "../../query/index-model/range-keys.js";
import { parseAmount, toCanonical } from "../../query/text/amounts.js";
import { describeNumber } from "./describe-range.js";

type Histogram = SearchedFacet & { readonly kind: "histogram" };

/** The key that a text stands for, as the index takes it and links spell it; or what the parameter takes instead. */
type ReadKey = { readonly key: string } | { readonly takes: string };

/**
 * A text or an id may always be a key: what no hit has finds nothing. Years and histograms take ranges beside the keys
 * of their buckets, histograms in any unit of their dimension: `0.3nM..20nM` is `3e-10..2e-8`.
 */
export function readFacetKey(facet: SearchedFacet, text: string, units: Units): ReadKey {
  // Phones replace two dots by an ellipsis.
  const range = text.replace(/[…‥]/u, "..");
  if (facet.kind === "histogram") return readNumberKey(facet, range, units);
  const buckets = bucketsOf(facet);
  if (buckets.kind !== "year") return { key: text };
  const key = plainDashes(range);
  if (bucketEnds(buckets, key) !== undefined) return { key };
  return {
    takes: 'a year such as "2024", or a range of years or days such as "2020..2024", "2024-05-17.." or "..2020"',
  };
}

function readNumberKey(facet: Histogram, text: string, units: Units): ReadKey {
  const ends = readEnds(text, unitsOf(facet, units), units);
  if (ends === undefined) return { takes: describeForm(facet, units) };
  const isSame = (key: string): boolean => {
    const { from, to } = numberRange(key) ?? {};
    return from === ends.from && to === ends.to;
  };
  return { key: binKeys(facet.edges ?? []).find(isSame) ?? rangeKey(ends) };
}

/** The dimension that the numbers of a facet have, where they are in its canonical unit: others convert to it. */
function unitsOf({ unit }: Histogram, units: Units): string | undefined {
  const known = unit === undefined ? undefined : findUnit(units, unit);
  const dimension = known && units.dimensions.get(known.dimension);
  return dimension?.canonical === known?.name ? dimension?.name : undefined;
}

/** A number without a unit has that of the other end. */
function readEnds(text: string, dimension: string | undefined, units: Units): RangeEnds | undefined {
  const texts = splitRange(text);
  if (texts === undefined) return undefined;
  const amounts = [texts.from, texts.to].map((end) => (end === "" ? undefined : parseAmount(end)));
  if ((texts.from !== "" && amounts[0] === undefined) || (texts.to !== "" && amounts[1] === undefined))
    return undefined;
  const written = amounts.find((amount) => amount !== undefined && amount.unit !== "")?.unit;
  const numbers: number[] = [];
  for (const amount of amounts) {
    if (amount === undefined) continue;
    const number = convert(amount.number, amount.unit || written, dimension, units);
    if (number === undefined) return undefined;
    numbers.push(number);
  }
  return orderedEnds(texts.from === "" ? undefined : numbers[0], texts.to === "" ? undefined : numbers.at(-1));
}

function convert(
  number: number,
  written: string | undefined,
  dimension: string | undefined,
  units: Units,
): number | undefined {
  if (written === undefined) return number + 0;
  const unit: Unit | undefined = findUnit(units, written);
  return unit === undefined || unit.dimension !== dimension ? undefined : toCanonical(number, unit);
}

/** What to send, with numbers of the facet itself. */
function describeForm(facet: Histogram, units: Units): string {
  const { edges = [], unit } = facet;
  const [low = 1, high = low * 10] = edges.slice(Math.max(0, Math.floor(edges.length / 2) - 1));
  const plain = `a range such as "${rangeKey({ from: low, to: high })}", "${rangeKey({ from: low })}" or "..${high}"`;
  if (unit === undefined) return `${plain} (the upper end is left out)`;
  const inUnits = unitsOf(facet, units) === undefined ? undefined : [low, high].map((end) => describeNumber(end, unit));
  const withUnits = inUnits === undefined ? "" : `, or with units: "${inUnits.join("..").replaceAll(" ", "")}"`;
  return `${plain} in ${unit} (the upper end is left out)${withUnits}`;
}
