import type { Unit, Units } from "../../core/catalog/units.js";
import { convertNumber } from "../../core/citable/record-results.js";
import type { Bucket, SelectedValue } from "../../services/api/search-services.js";
import { describeRange } from "../../services/search/facet-keys.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import type { SearchAddress } from "./address-of-search.js";
import { withPowers } from "./texts.js";

/** One bar of a histogram. */
export interface Bar {
  readonly label: string;
  /** Of the first value; absent: from wherever. */
  readonly from?: number | string;
  readonly to?: number | string;
  /** The first number as the axis says it, where that is in another unit. */
  readonly mark?: number;
  readonly count: number;
  readonly isSelected: boolean;
  /** To the page with this filter, or without it; absent where nothing would be found. */
  readonly page?: string;
}

export interface RangeView {
  readonly scale: "log" | "linear";
  /** What numbers may be written in: the number in the unit of the bars is (number + offset) × factor. */
  readonly units: readonly {
    readonly name: string;
    /** As print has it. */
    readonly label: string;
    readonly factor: number;
    readonly offset: number;
  }[];
  /** The filter that is set, as it is spelled. */
  readonly selected?: string;
  /** The unit that the page shows the numbers in; absent: that of the facet. */
  readonly shownIn?: string;
}

/** What histograms are drawn with. */
export interface HistogramPlace {
  readonly address: SearchAddress;
  /** Those that numbers are converted by; absent: ranges are not drawn. */
  readonly units?: Units | undefined;
  /** What numbers are shown in, by facet. */
  readonly shownIn?: ReadonlyMap<string, Unit> | undefined;
}

interface HistogramView {
  readonly bars: readonly Bar[];
  readonly unit?: string;
  readonly range?: RangeView;
}

type Histogram = Extract<SearchedFacet, { kind: "histogram" | "year" }>;
type NumberFacet = SearchedFacet & { readonly kind: "histogram" };

/** Is a facet drawn, or are its values listed? */
export const isHistogram = (facet: SearchedFacet): facet is Histogram =>
  facet.kind === "histogram" || facet.kind === "year";

/** The buckets of a facet as bars, in the order of their values. */
export function histogramOf(facet: Histogram, buckets: readonly Bucket[], place: HistogramPlace): HistogramView {
  const { address, units, shownIn } = place;
  if (facet.kind === "year") return { bars: yearBars(facet.name, buckets, address) };
  const scale = units && scaleOf(facet, units, shownIn);
  const bars = rangeBars(facet, buckets, address).map((bar) => (scale === undefined ? bar : inScale(bar, scale)));
  const unit = unitOf(facet, place);
  return {
    bars,
    ...(unit === undefined ? {} : { unit }),
    ...(units === undefined ? {} : { range: rangeOf(facet, address, units, scale?.to.name) }),
  };
}

/** What the numbers of a facet are shown in. */
export function unitOf(facet: SearchedFacet, { units, shownIn }: HistogramPlace): string | undefined {
  if (facet.kind !== "histogram") return undefined;
  const scale = units && scaleOf(facet, units, shownIn);
  return scale?.to.name ?? facet.unit;
}

/** What a bucket is called: a range in the unit that its numbers are shown in. */
export function labelOf(
  facet: SearchedFacet,
  bucket: SelectedValue | undefined,
  { units, shownIn }: Pick<HistogramPlace, "units" | "shownIn">,
): string | undefined {
  const scale = facet.kind === "histogram" && units !== undefined ? scaleOf(facet, units, shownIn) : undefined;
  return bucket === undefined || scale === undefined
    ? bucket?.label
    : describeRange(endsIn(bucket, scale), scale.to.name);
}

/** The unit of a facet, and the one that its numbers are shown in. */
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

/** A bar whose label and mark are in another unit; its filter stays as it is. */
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
  const own = unit === undefined ? undefined : units.get(unit);
  // Numbers of a facet are in the unit of its dimension whose factor is 1.
  const same = [...units.values()].filter(({ dimension }) => own?.factor === 1 && dimension === own.dimension);
  const selected = address.pairs.find(([each]) => each === name)?.[1];
  return {
    scale,
    units: same.map(({ name: each, factor, offset }) => ({ name: each, label: withPowers(each), factor, offset })),
    ...(selected === undefined ? {} : { selected }),
    ...(shownIn === undefined ? {} : { shownIn }),
  };
}

function barOf(name: string, bucket: Bucket, address: SearchAddress): Bar {
  const { key, label, doc_count, is_selected } = bucket;
  const page = is_selected ? address.minus(name, key) : address.plus(name, key);
  return {
    ...{ label, count: doc_count, isSelected: is_selected, page: String(page) },
    ...(bucket.from === undefined ? {} : { from: bucket.from }),
    ...(bucket.to === undefined ? {} : { to: bucket.to }),
  };
}

/** Each range between two edges, also those that no hit is in; beyond the edges only where there are hits. */
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

/** Each year from the first to the last that has hits. */
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

/** Of more years only those with hits are drawn: a typo in a century must not flatten all bars. */
const YEARS_MAX = 60;
