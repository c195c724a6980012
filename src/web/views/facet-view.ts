import type { Units } from "../../core/catalog/unit-types.js";
import type { Aggregation, Bucket } from "../../services/api/search-services.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import type { SearchAddress } from "./address-of-search.js";

/** A facet as a page shows it. */
export interface FacetView {
  readonly name: string;
  readonly label: string;
  readonly isOpen: boolean;
  /** Of numbers and years: bars in the order of their values. */
  readonly bars?: readonly Bar[];
  /** What the numbers of bars are in. */
  readonly unit?: string;
  /** Of numbers: how a range of them is drawn. */
  readonly range?: RangeView;
  /** Of everything else: values, below each those that a tree has below it. */
  readonly values: readonly FacetValue[];
  /** Hits in values that are not listed. */
  readonly other: number;
}

export interface RangeView {
  readonly scale: "log" | "linear";
  /** What numbers may be written in: the number in the unit of the bars is (number + offset) × factor. */
  readonly units: readonly { readonly name: string; readonly factor: number; readonly offset: number }[];
  /** The filter that is set, as it is spelled. */
  readonly selected?: string;
}

export interface FacetValue extends Bucket {
  readonly below: readonly FacetValue[];
}

/** One bar of a histogram. */
export interface Bar {
  readonly label: string;
  /** Of the first value; absent: from wherever. */
  readonly from?: number | string;
  readonly to?: number | string;
  readonly count: number;
  readonly isSelected: boolean;
  /** To the page with this filter, or without it; absent where nothing would be found. */
  readonly page?: string;
}

/** A filter that is set. */
export interface Chip {
  readonly facet: string;
  readonly label: string;
  readonly key: string;
  /** Pages without the filter, and with its opposite. */
  readonly removed: string;
  readonly excluded?: string;
}

type Aggregations = Readonly<Record<string, Aggregation>>;

/** All facets that count something: those that are named first, and open; then the others as they are declared. */
export function facetViews(
  facets: readonly SearchedFacet[],
  aggregations: Aggregations,
  { address, first, units }: FacetPlace & { readonly first: readonly string[] },
): readonly FacetView[] {
  const rank = ({ name }: SearchedFacet): number => {
    const at = first.indexOf(name);
    return at === -1 ? first.length : at;
  };
  return facets
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((facet) => {
      const counted = aggregations[facet.name];
      if (counted === undefined || counted.buckets.length === 0) return [];
      const isOpen = first.includes(facet.name) || counted.buckets.some(({ is_selected }) => is_selected);
      return [viewOf(facet, counted, { address, isOpen, units })];
    });
}

interface FacetPlace {
  readonly address: SearchAddress;
  /** Those that numbers are converted by; absent: ranges are not drawn. */
  readonly units?: Units | undefined;
}

function viewOf(
  facet: SearchedFacet,
  { label, buckets, other }: Aggregation,
  { address, isOpen, units }: FacetPlace & { readonly isOpen: boolean },
): FacetView {
  const { name } = facet;
  const view = { name, label, isOpen, other };
  if (facet.kind !== "histogram" && facet.kind !== "year") return { ...view, values: treeOf(buckets) };
  const bars = facet.kind === "year" ? yearBars(name, buckets, address) : rangeBars(facet, buckets, address);
  const unit = facet.kind === "histogram" && facet.unit !== undefined ? { unit: facet.unit } : {};
  const range = facet.kind === "histogram" && units !== undefined ? { range: rangeOf(facet, address, units) } : {};
  return { ...view, bars, ...unit, ...range, values: [] };
}

function rangeOf(
  { name, scale, unit }: SearchedFacet & { readonly kind: "histogram" },
  address: SearchAddress,
  { units }: Units,
): RangeView {
  const own = unit === undefined ? undefined : units.get(unit);
  // Numbers of a facet are in the unit of its dimension whose factor is 1.
  const same = [...units.values()].filter(({ dimension }) => own?.factor === 1 && dimension === own.dimension);
  const selected = address.pairs.find(([each]) => each === name)?.[1];
  return {
    scale,
    units: same.map(({ name: each, factor, offset }) => ({ name: each, factor, offset })),
    ...(selected === undefined ? {} : { selected }),
  };
}

/** Values below the nearest one that is listed and stands above them. */
function treeOf(buckets: readonly Bucket[]): readonly FacetValue[] {
  const keys = new Set(buckets.map(({ key }) => key));
  const under = (parent: string | undefined): readonly FacetValue[] =>
    buckets
      .filter(
        (bucket) => (bucket.parent !== undefined && keys.has(bucket.parent) ? bucket.parent : undefined) === parent,
      )
      .map((bucket) => ({ ...bucket, below: under(bucket.key) }));
  return under(undefined);
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
function rangeBars(
  { name, edges }: SearchedFacet & { readonly kind: "histogram" },
  buckets: readonly Bucket[],
  address: SearchAddress,
): readonly Bar[] {
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

/** The filters that are set, with the pages without them and with their opposites. */
export function chipsOf(
  facets: readonly SearchedFacet[],
  aggregations: Aggregations,
  {
    address,
    filters,
  }: { readonly address: SearchAddress; readonly filters: Readonly<Record<string, readonly string[]>> },
): readonly Chip[] {
  const q = address.pairs.find(([name]) => name === "q")?.[1] ?? "";
  return facets.flatMap((facet) =>
    (filters[facet.name] ?? []).map((key) => {
      const counted = aggregations[facet.name];
      const bucket = counted?.buckets.find((each) => each.key === key);
      const removed = address.minus(facet.name, key);
      const clause = clauseOf(facet, key, bucket);
      const excluded =
        clause === undefined
          ? {}
          : { excluded: String(removed.with("q", `${q === "" ? "" : `${bracketed(q)} `}-${clause}`)) };
      return { facet: facet.label, key, label: bucket?.label ?? key, removed: String(removed), ...excluded };
    }),
  );
}

/** Alternatives belong together before something is added to them. */
const bracketed = (q: string): string => (/\bOR\b|\|\|/.test(q) && !/^\(.*\)$/.test(q) ? `(${q})` : q);

/** What a value of a facet is in the query language; the fields of facets have their names. */
function clauseOf({ name, ...facet }: SearchedFacet, key: string, bucket: Bucket | undefined): string | undefined {
  switch (facet.kind) {
    case "tree":
      return `${name}.within:${key}`;
    case "year":
      return `${name}:${key}`;
    case "terms":
      return facet.vocabulary === undefined || !key.includes(":") ? `${name}:${quoted(key)}` : `${name}:${key}`;
    default: {
      if (bucket === undefined) return undefined;
      const bound = (value: number | string | undefined): string =>
        value === undefined ? "*" : `${value}${facet.unit ?? ""}`;
      return `${name}:[${bound(bucket.from)} TO ${bound(bucket.to)}}`;
    }
  }
}

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
