import type { Units } from "../../core/catalog/unit-types.js";
import type { Aggregation, Bucket, Counting } from "../../services/api/search-services.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import type { SearchAddress } from "./address-of-search.js";
import { type Pairs, termPath } from "./paths.js";

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
  /** Do values stand below others? */
  readonly isTree: boolean;
  /** Hits in values that are not listed. */
  readonly other: number;
  /** Where not all values are listed: what the form carries that finds others. */
  readonly find?: Pairs;
  /** Where only some values are asked for: those that match a text, or those below another one. */
  readonly listing?: Listing;
  /** Filters that are set, but have no box among those. */
  readonly unlisted: readonly string[];
}

interface Listing {
  readonly text?: string;
  /** A key, and the page of its term. */
  readonly below?: { readonly key: string; readonly page: string };
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
  /** The page of what is below it, where not all of that may be listed. */
  readonly opens?: string;
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
  { first, ...place }: FacetPlace & { readonly first: readonly string[] },
): readonly FacetView[] {
  const rank = ({ name }: SearchedFacet): number => {
    const at = first.indexOf(name);
    return at === -1 ? first.length : at;
  };
  return facets
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((facet) => {
      const counted = aggregations[facet.name];
      const isAsked = listingOf(facet, place) !== undefined;
      if (counted === undefined || (counted.buckets.length === 0 && !isAsked)) return [];
      const isOpen = isAsked || first.includes(facet.name) || counted.buckets.some(({ is_selected }) => is_selected);
      return [viewOf(facet, counted, { ...place, isOpen })];
    });
}

interface FacetPlace {
  readonly address: SearchAddress;
  /** Those that numbers are converted by; absent: ranges are not drawn. */
  readonly units?: Units | undefined;
  /** What was asked for. */
  readonly counting?: Counting | undefined;
}

/** Which values were asked for of the one facet that is counted then; undefined: the largest, of any. */
function listingOf(
  { vocabularies: [vocabulary = ""] }: SearchedFacet,
  { counting: { text, below: key } = {} }: FacetPlace,
): Listing | undefined {
  if (text === undefined && key === undefined) return undefined;
  return {
    ...(text === undefined ? {} : { text }),
    ...(key === undefined ? {} : { below: { key, page: termPath(vocabulary, key) } }),
  };
}

function viewOf(
  facet: SearchedFacet,
  counted: Aggregation,
  { isOpen, ...place }: FacetPlace & { readonly isOpen: boolean },
): FacetView {
  const { name } = facet;
  const { label, buckets, other } = counted;
  const { address, units } = place;
  const view = { name, label, isOpen, other, isTree: facet.kind === "tree", unlisted: [] };
  if (facet.kind !== "histogram" && facet.kind !== "year") return { ...view, ...valuesOf(facet, counted, place) };
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

/** The values that are listed, and the ways to others. */
function valuesOf(
  facet: SearchedFacet,
  { buckets, other }: Aggregation,
  place: FacetPlace,
): Pick<FacetView, "values" | "find" | "listing" | "unlisted"> {
  const { name, kind } = facet;
  const listing = listingOf(facet, place);
  const here = place.address.with("facets", name);
  const isCut = other > 0 || listing !== undefined;
  // Only of values below another one it is known whether there are more below them.
  const mayOpen = (bucket: Bucket): boolean => isCut && (listing?.below === undefined || bucket.has_below === true);
  const opens = (bucket: Bucket): Pick<FacetValue, "opens"> =>
    kind === "tree" && mayOpen(bucket) ? { opens: String(here.with("facet_below", bucket.key)) } : {};
  const values = treeOf(buckets, opens);
  if (!isCut) return { values, unlisted: [] };
  const shown = new Set(buckets.map(({ key }) => key));
  const set = here.pairs.flatMap(([each, key]) => (each === name ? [key] : []));
  const unlisted = listing === undefined ? [] : set.filter((key) => !shown.has(key));
  return { values, unlisted, find: here.pairs, ...(listing === undefined ? {} : { listing }) };
}

/** Values below the nearest one that is listed and stands above them. */
function treeOf(
  buckets: readonly Bucket[],
  opens: (bucket: Bucket) => Pick<FacetValue, "opens">,
): readonly FacetValue[] {
  const keys = new Set(buckets.map(({ key }) => key));
  const under = (parent: string | undefined): readonly FacetValue[] =>
    buckets
      .filter(
        (bucket) => (bucket.parent !== undefined && keys.has(bucket.parent) ? bucket.parent : undefined) === parent,
      )
      .map((bucket) => ({ ...bucket, ...opens(bucket), below: under(bucket.key) }));
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
