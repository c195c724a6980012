import type { Bucket } from "../../core/answers/searches.js";
import type { Units } from "../../core/units/units.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import { axisUnit, onlyUnit, type RangeUnits, rangeText, tickText } from "../notation/ranges.js";
import { plainText } from "../notation/rich-text.js";
import { unitLabel } from "../notation/unit-choice.js";
import { type Bar, type FacetPageContext, type FacetPart, makeBar, type RangeView } from "./facet-part.js";
import type { SearchAddress } from "./page-addresses.js";

type NumberFacet = SearchedFacet & { readonly kind: "histogram" };

export const HISTOGRAM_PART: FacetPart<NumberFacet> = {
  drawBars(facet, buckets, place) {
    const { address, units } = place;
    const shown = shownUnits(facet, place);
    const bars = rangeBars(facet, buckets, address).map((bar): Bar => {
      if (typeof bar.from === "string" || typeof bar.to === "string") return bar;
      const label = rangeText({ from: bar.from, to: bar.to }, shown);
      return bar.from === undefined ? { ...bar, label } : { ...bar, label, mark: tickText(bar.from, shown) };
    });
    return { bars, unit: axisUnit(shown), range: units && rangeOf(facet, address, units, onlyUnit(shown)?.unit.name) };
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
