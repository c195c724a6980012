import { describeRange } from "../../core/catalog/describe-range.js";
import type { Unit, Units } from "../../core/catalog/units.js";
import { convertNumber } from "../../core/citable/record-results.js";
import type { Bucket, SelectedValue } from "../../services/api/searches.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import type { SearchAddress } from "./page-addresses.js";
import { withPowers } from "./texts.js";

/** Bar of a histogram. */
export interface Bar {
  readonly label: string;
  /** First value, in the unit of the facet. Absent: no lower bound. */
  readonly from?: number | string | undefined;
  readonly to?: number | string | undefined;
  /** First value in the unit of the axis, if that is another unit. */
  readonly mark?: number;
  readonly count: number;
  readonly isSelected: boolean;
  /** Address of the page that has the filter toggled. Absent if that page would have no hits. */
  readonly page?: string;
}

/** Properties of a histogram for selecting a range. */
export interface RangeView {
  readonly scale: "log" | "linear";
  /** Units for entering numbers. The number in the unit of the bars is (number + offset) × factor. */
  readonly units: readonly {
    readonly name: string;
    /** The name with superscripts. */
    readonly label: string;
    readonly factor: number;
    readonly offset: number;
  }[];
  /** Active filter, as in the address. */
  readonly selected: string | undefined;
  /** Unit in which the page shows the numbers. Absent: the unit of the facet. */
  readonly shownIn: string | undefined;
}

/** Address and units of the page that shows a histogram. */
export interface HistogramPlace {
  readonly address: SearchAddress;
  /** Units for conversions. Absent: readers cannot select ranges. */
  readonly units?: Units | undefined;
  /** Units of shown numbers, by facet. */
  readonly shownIn?: ReadonlyMap<string, Unit> | undefined;
}

interface HistogramView {
  readonly bars: readonly Bar[];
  readonly unit?: string | undefined;
  readonly range?: RangeView | undefined;
}

type Histogram = Extract<SearchedFacet, { kind: "histogram" | "year" }>;
type NumberFacet = SearchedFacet & { readonly kind: "histogram" };

/** Returns whether a page draws the facet as a histogram instead of listing its values. */
export const isHistogram = (facet: SearchedFacet): facet is Histogram =>
  facet.kind === "histogram" || facet.kind === "year";

/** Returns the histogram of a facet. Bars are in the order of their values. */
export function histogramOf(facet: Histogram, buckets: readonly Bucket[], place: HistogramPlace): HistogramView {
  const { address, units, shownIn } = place;
  if (facet.kind === "year") return { bars: yearBars(facet.name, buckets, address) };
  const scale = units && scaleOf(facet, units, shownIn);
  const bars = rangeBars(facet, buckets, address).map((bar) => (scale === undefined ? bar : inScale(bar, scale)));
  const unit = unitOf(facet, place);
  return {
    bars,
    unit,
    range: units && rangeOf(facet, address, units, scale?.to.name),
  };
}

/** Returns the unit in which a page shows the numbers of a facet. */
export function unitOf(facet: SearchedFacet, { units, shownIn }: HistogramPlace): string | undefined {
  if (facet.kind !== "histogram") return undefined;
  const scale = units && scaleOf(facet, units, shownIn);
  return scale?.to.name ?? facet.unit;
}

/** Returns the label of a bucket. The label of a range has the unit in which the page shows its numbers. */
export function bucketLabel(
  facet: SearchedFacet,
  bucket: SelectedValue | undefined,
  { units, shownIn }: Pick<HistogramPlace, "units" | "shownIn">,
): string | undefined {
  const scale = facet.kind === "histogram" && units !== undefined ? scaleOf(facet, units, shownIn) : undefined;
  return bucket === undefined || scale === undefined
    ? bucket?.label
    : describeRange(endsIn(bucket, scale), scale.to.name);
}

/** Unit of a facet, and the unit in which a page shows its numbers. */
interface ShownScale {
  readonly from: Unit;
  readonly to: Unit;
}

function scaleOf(
  { name, ...facet }: NumberFacet,
  { units }: Units,
  shownIn: HistogramPlace["shownIn"],
): ShownScale | undefined {
  const from = facet.unit === undefined ? undefined : units.get(facet.unit);
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

function barOf(name: string, bucket: Bucket, address: SearchAddress): Bar {
  const { key, label, doc_count, is_selected } = bucket;
  const page = is_selected ? address.minus(name, key) : address.plus(name, key);
  return {
    label,
    count: doc_count,
    isSelected: is_selected,
    page: String(page),
    from: bucket.from,
    to: bucket.to,
  };
}

/** Returns a bar for each range between two edges, and for the ranges beyond the edges if they have hits. */
function rangeBars({ name, edges }: NumberFacet, buckets: readonly Bucket[], address: SearchAddress): readonly Bar[] {
  if (edges === undefined) return buckets.map((bucket) => barOf(name, bucket, address));
  const ends = [undefined, ...edges, undefined];
  const ranges = ends.slice(1).map((to, i) => ({ from: ends[i], to }));
  return ranges.flatMap(({ from, to }) => {
    const bucket = buckets.find((each) => each.from === from && each.to === to);
    if (bucket !== undefined) return [barOf(name, bucket, address)];
    if (from === undefined || to === undefined) return [];
    return [{ label: `${from} – ${to}`, from, to, count: 0, isSelected: false }];
  });
}

/** Returns a bar for each year between the first and the last with hits. */
function yearBars(name: string, buckets: readonly Bucket[], address: SearchAddress): readonly Bar[] {
  const years = buckets.map(({ key }) => Number(key)).filter(Number.isInteger);
  const first = years.reduce((a, b) => Math.min(a, b), years[0] ?? 0);
  const last = years.reduce((a, b) => Math.max(a, b), years[0] ?? -1);
  if (last - first >= YEARS_MAX) return buckets.map((bucket) => barOf(name, bucket, address)).reverse();
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const key = String(first + i).padStart(4, "0");
    const bucket = buckets.find((each) => each.key === key);
    return bucket === undefined ? { label: key, from: key, count: 0, isSelected: false } : barOf(name, bucket, address);
  });
}

/** Maximum range of years. A longer range has only bars with hits, because a wrong century would make bars too thin. */
const YEARS_MAX = 60;
