import type { Bucket } from "../../core/answers/searches.js";
import { convertNumber } from "../../core/citable/record-results.js";
import type { Units } from "../../core/units/units.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import { axisUnit, onlyUnit, type RangeUnits, rangeText, tickText } from "../notation/ranges.js";
import { plainText } from "../notation/rich-text.js";
import { unitLabel } from "../notation/unit-choice.js";
import {
  type AxisTick,
  type Bar,
  type FacetPageContext,
  type FacetPart,
  makeBar,
  type RangeView,
} from "./facet-part.js";
import type { SearchAddress } from "./page-addresses.js";

type NumberFacet = SearchedFacet & { readonly kind: "histogram" };

/** Presentation of histograms. */
export const HISTOGRAM_PART: FacetPart<NumberFacet> = {
  drawBars(facet, buckets, place) {
    const { address, units } = place;
    const shown = shownUnits(facet, place);
    const bars = rangeBars(facet, buckets, address).map((bar): Bar => {
      if (typeof bar.from === "string" || typeof bar.to === "string") return bar;
      return { ...bar, label: rangeText({ from: bar.from, to: bar.to }, shown) };
    });
    const range = units && rangeOf(facet, address, units, onlyUnit(shown)?.unit.name);
    return { bars, unit: axisUnit(shown), range, ticks: axisTicks(bars, facet.scale, shown) };
  },
  unitOf: (facet, place) => axisUnit(shownUnits(facet, place)),
  labelOf: (facet, { from, to, label }, place) =>
    typeof from === "string" || typeof to === "string" ? label : rangeText({ from, to }, shownUnits(facet, place)),
  clauseOf({ name, unit = "" }, _, value) {
    if (value === undefined) return undefined;
    const bound = (end: number | string | undefined): string => (end === undefined ? "*" : `${end}${unit}`);
    return `${name}:[${bound(value.from)} TO ${bound(value.to)}}`;
  },
};

/** Returns the unit of a facet, and the one that a reader has chosen for its numbers. */
function shownUnits(
  { name, unit }: NumberFacet,
  { units, shownIn }: Pick<FacetPageContext, "units" | "shownIn">,
): RangeUnits {
  const from = unit === undefined ? undefined : units?.units.get(unit);
  const to = shownIn?.get(name);
  return { units, unit, to: from === undefined || to?.dimension !== from.dimension ? undefined : to };
}

function rangeOf(
  { name, scale, unit }: NumberFacet,
  address: SearchAddress,
  allUnits: Units,
  shownIn: string | undefined,
): RangeView {
  const { units } = allUnits;
  const facetUnit = unit === undefined ? undefined : units.get(unit);
  // Numbers of a facet are in the unit of its dimension whose factor is 1.
  const convertibleUnits = [...units.values()].filter(
    ({ dimension }) => facetUnit?.factor === 1 && dimension === facetUnit.dimension,
  );
  const selected = address.pairs.find(([each]) => each === name)?.[1];
  return {
    scale,
    units: convertibleUnits.map(({ name: unitName, factor, offset }) => ({
      name: unitName,
      label: plainText(unitLabel(allUnits, unitName)) || unitName,
      factor,
      offset,
    })),
    selected,
    shownIn,
  };
}

/** Minimum distance of two ticks as part of the axis: about the width of a label in the narrow column of filters. */
const TICK_DISTANCE = 0.18;
/** Numbers of decades between two ticks, and for numbers whose units have prefixes: fM, pM, nM. */
const DECADES = [1, 2, 3, 4, 6, 9, 12];
const PREFIXED_DECADES = [1, 3, 6, 9, 12];
/** Round numbers below 10 between two ticks of a linear axis. */
const ROUND = [1, 2, 5, 10];

/** Returns the round numbers on the axis of some bars: powers of ten, or multiples of a round number as it is shown. */
function axisTicks(bars: readonly Bar[], scale: "log" | "linear", shown: RangeUnits): readonly AxisTick[] {
  const spans = bars.flatMap(({ from, to }, i) =>
    typeof from === "number" && typeof to === "number" ? [{ from, to, i }] : [],
  );
  const [first, last] = [spans[0]?.from, spans.at(-1)?.to];
  if (first === undefined || last === undefined || (scale === "log" && first <= 0)) return [];
  const placeOf = (value: number): number => {
    const span = spans.find(({ to }) => value < to) ?? spans.at(-1)!;
    const { from, to, i } = span;
    const part = scale === "log" ? Math.log(value / from) / Math.log(to / from) : (value - from) / (to - from);
    return (i + part) / bars.length;
  };
  const values = scale === "log" ? decadesIn(first, last, shown) : multiplesIn(first, last, shown);
  return values.map((value) => ({ at: Number(placeOf(value).toFixed(4)), text: tickText(value, shown) }));
}

/** Returns powers of ten from `first` to `last`, with room for labels. */
function decadesIn(first: number, last: number, shown: RangeUnits): readonly number[] {
  const steps = onlyUnit(shown) === undefined && shown.unit !== undefined ? PREFIXED_DECADES : DECADES;
  const [low, high] = [Math.log10(first), Math.log10(last)];
  const step = steps.find((each) => each / (high - low) >= TICK_DISTANCE) ?? steps.at(-1)!;
  return multiples(low, high, step).map((power) => Number(`1e${power}`));
}

/** Returns multiples of a round number in the unit in which a page shows them, as numbers in the unit of the facet. */
function multiplesIn(first: number, last: number, { units, unit = "", ...shown }: RangeUnits): readonly number[] {
  const [of, to] = [units?.units.get(unit), onlyUnit({ units, unit, ...shown })?.unit];
  const isConverted = of !== undefined && to !== undefined && to !== of;
  const [low, high] = isConverted ? [convertNumber(first, of, to), convertNumber(last, of, to)] : [first, last];
  const least = (high - low) * TICK_DISTANCE;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = (ROUND.find((each) => each * power >= least) ?? 10) * power;
  return multiples(low, high, step).map((value) => (isConverted ? convertNumber(value, to, of) : value));
}

/** Maximum number of ticks, in case numbers are too large for their digits. */
const TICKS_MAX = 12;

/** Returns the multiples of a number in a range. Its ends belong to it, despite rounding errors. */
function multiples(low: number, high: number, step: number): readonly number[] {
  const first = Math.ceil(low / step - 1e-6);
  const count = Math.min(TICKS_MAX, Math.floor(high / step + 1e-6) - first + 1);
  return Array.from({ length: Math.max(0, count) }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** Returns a bar for each range between two edges, and for the ranges beyond the edges if they have hits. */
function rangeBars({ name, edges }: NumberFacet, buckets: readonly Bucket[], address: SearchAddress): readonly Bar[] {
  if (edges === undefined) return buckets.map((bucket) => makeBar(name, bucket, address));
  const ends = [undefined, ...edges, undefined];
  const ranges = ends.slice(1).map((to, i) => ({ from: ends[i], to }));
  return ranges.flatMap(({ from, to }) => {
    const bucket = buckets.find((each) => each.from === from && each.to === to);
    if (bucket !== undefined) return [makeBar(name, bucket, address)];
    if (from === undefined || to === undefined) return [];
    return [{ label: "", from, to, count: 0, isSelected: false }];
  });
}
