import type { Bucket } from "../../core/answers/searches.js";
import { describeRange } from "../../core/catalog/facet-kinds/histogram.js";
import type { Unit, Units } from "../../core/catalog/units.js";
import { convertNumber } from "../../core/citable/record-results.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import { type Bar, type FacetPageContext, type FacetPart, makeBar, type RangeView } from "./facet-part.js";
import type { SearchAddress } from "./page-addresses.js";
import { withPowers } from "./texts.js";

type NumberFacet = SearchedFacet & { readonly kind: "histogram" };

export const HISTOGRAM_PART: FacetPart<NumberFacet> = {
  drawBars(facet, buckets, place) {
    const { address, units } = place;
    const scale = scaleOf(facet, place);
    const bars = rangeBars(facet, buckets, address).map((bar) => (scale === undefined ? bar : inScale(bar, scale)));
    return {
      bars,
      unit: scale?.to.name ?? facet.unit,
      range: units && rangeOf(facet, address, units, scale?.to.name),
    };
  },
  unitOf: (facet, place) => scaleOf(facet, place)?.to.name ?? facet.unit,
  labelOf(facet, bucket, place) {
    const scale = scaleOf(facet, place);
    return scale === undefined ? bucket.label : describeRange(endsIn(bucket, scale), scale.to.name);
  },
  clauseOf({ name, unit = "" }, _, value) {
    if (value === undefined) return undefined;
    const bound = (end: number | string | undefined): string => (end === undefined ? "*" : `${end}${unit}`);
    return `${name}:[${bound(value.from)} TO ${bound(value.to)}}`;
  },
};

/** Unit of a facet, and the unit in which a page shows its numbers. */
interface ShownScale {
  readonly from: Unit;
  readonly to: Unit;
}

function scaleOf(
  { name, unit }: NumberFacet,
  { units, shownIn }: Pick<FacetPageContext, "units" | "shownIn">,
): ShownScale | undefined {
  const from = unit === undefined ? undefined : units?.units.get(unit);
  const to = shownIn?.get(name);
  return from === undefined || to?.dimension !== from.dimension ? undefined : { from, to };
}

/** Converts the label and the mark of a bar to another unit. The filter keeps its unit. */
function inScale(bar: Bar, scale: ShownScale): Bar {
  const ends = endsIn(bar, scale);
  const mark = ends.from === undefined ? {} : { mark: ends.from };
  return { ...bar, label: describeRange(ends, scale.to.name), ...mark };
}

function endsIn({ from, to }: Pick<Bar, "from" | "to">, scale: ShownScale): { from?: number; to?: number } {
  const inUnit = (end: number): number => convertNumber(end, scale.from, scale.to);
  return {
    ...(typeof from === "number" ? { from: inUnit(from) } : {}),
    ...(typeof to === "number" ? { to: inUnit(to) } : {}),
  };
}

function rangeOf(
  { name, scale, unit }: NumberFacet,
  address: SearchAddress,
  { units }: Units,
  shownIn: string | undefined,
): RangeView {
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
      label: withPowers(unitName),
      factor,
      offset,
    })),
    selected,
    shownIn,
  };
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
    return [{ label: `${from} – ${to}`, from, to, count: 0, isSelected: false }];
  });
}
