import { LIMITS } from "../../core/limits.js";
import { beginningOfText } from "../../core/records/beginning.js";
import type {
  Aggregation,
  Bucket,
  Counting,
  SearchAnswer,
  SearchRequest,
  SelectedValue,
} from "../../services/api/search-services.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import {
  type Bar,
  type HistogramPlace,
  histogramOf,
  isHistogram,
  labelOf,
  type RangeView,
  unitOf,
} from "./histogram-view.js";
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
  /** Where it is closed: the page that shows it open. Its values are in that page only. */
  readonly later?: string;
  /** Do values stand below others? */
  readonly isTree: boolean;
  /** Hits in values that are not listed. */
  readonly other: number;
  /** Where not all values are listed: what the form carries that finds others. */
  readonly find?: Pairs;
  /** Where only some values are asked for: those that match a text, or those below another one. */
  readonly listing?: Listing;
}

interface Listing {
  readonly text?: string;
  /** A key, and the page of its term. */
  readonly below?: { readonly key: string; readonly page: string };
}

export interface FacetValue extends Bucket {
  readonly below: readonly FacetValue[];
  /** Where it is set: what a form carries that takes it away. */
  readonly without?: Pairs;
  /** The page of what is below it, where not all of that may be listed. */
  readonly opens?: string;
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

/**
 * All facets that count something, or do so on request: those that are named first, and open; then the others as they
 * are declared. Of those that are closed a page has no more than how to open them: with their values, which few readers
 * look at, it would be twice as long.
 */
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
      const { names } = place.counting ?? {};
      if (counted === undefined) return facet.onRequest && names === undefined ? [laterView(facet, place)] : [];
      const isAsked = listingOf(facet, place) !== undefined || names?.includes(facet.name) === true;
      if (counted.buckets.length === 0 && !isAsked) return [];
      const isOpen = isAsked || first.includes(facet.name) || counted.buckets.some(({ is_selected }) => is_selected);
      return [isOpen ? viewOf(facet, counted, place) : laterView(facet, place, counted.other > 0)];
    });
}

/** A facet that is shown when somebody opens it. @param isCut will not all of its values be listed? */
function laterView(facet: SearchedFacet, place: FacetPlace, isCut = false): FacetView {
  const { name, label } = facet;
  const unit = unitOf(facet, place);
  const here = place.address.with("facets", name);
  return {
    ...{ name, label, isOpen: false, values: [], isTree: false, other: 0 },
    ...(unit === undefined ? {} : { unit }),
    later: String(here),
    // Its form stands outside of it.
    ...(isCut && !isHistogram(facet) ? { find: here.pairs } : {}),
  };
}

interface FacetPlace extends HistogramPlace {
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

function viewOf(facet: SearchedFacet, counted: Aggregation, place: FacetPlace): FacetView {
  const { name } = facet;
  const { label, buckets, other } = counted;
  const view = { name, label, isOpen: true, other, isTree: facet.kind === "tree" };
  if (!isHistogram(facet)) return { ...view, ...valuesOf(facet, counted, place) };
  return { ...view, ...histogramOf(facet, buckets, place), values: [] };
}

/** The values that are listed, and the ways to others. */
function valuesOf(
  facet: SearchedFacet,
  { buckets, other }: Aggregation,
  place: FacetPlace,
): Pick<FacetView, "values" | "find" | "listing"> {
  const { name, kind } = facet;
  const listing = listingOf(facet, place);
  const here = place.address.with("facets", name);
  const isCut = other > 0 || listing !== undefined;
  // A request cannot contain a longer value.
  const offered = buckets.filter(({ key }) => key.length <= LIMITS.parameterLengthMax).map(shortLabel);
  // Only of values below another one it is known whether there are more below them.
  const mayOpen = (bucket: Bucket): boolean => isCut && (listing?.below === undefined || bucket.has_below === true);
  const waysOf = (bucket: Bucket): Ways => ({
    ...(kind === "tree" && mayOpen(bucket) ? { opens: String(here.with("facet_below", bucket.key)) } : {}),
    ...(bucket.is_selected ? { without: place.address.minus(name, bucket.key).pairs } : {}),
  });
  const values = treeOf(offered, waysOf);
  return isCut ? { values, find: here.pairs, ...(listing === undefined ? {} : { listing }) } : { values };
}

/** Old records may hold texts of any length. */
function shortLabel<T extends Pick<Bucket, "label">>(bucket: T): T {
  return { ...bucket, label: beginningOfText(bucket.label, LIMITS.listTextLengthMax) };
}

/** Where a value leads to. */
type Ways = Pick<FacetValue, "opens" | "without">;

/** Values below the nearest one that is listed and stands above them. */
function treeOf(buckets: readonly Bucket[], waysOf: (bucket: Bucket) => Ways): readonly FacetValue[] {
  const keys = new Set(buckets.map(({ key }) => key));
  const under = (parent: string | undefined): readonly FacetValue[] =>
    buckets
      .filter(
        (bucket) => (bucket.parent !== undefined && keys.has(bucket.parent) ? bucket.parent : undefined) === parent,
      )
      .map((bucket) => ({ ...bucket, ...waysOf(bucket), below: under(bucket.key) }));
  return under(undefined);
}

/** Labels of selected values of facets without counts. */
type Selected = { readonly selected?: SearchAnswer<unknown>["selected"] | undefined };

/** The filters that are set, with the pages without them and with their opposites. */
export function chipsOf(
  facets: readonly SearchedFacet[],
  aggregations: Aggregations,
  { address, filters, selected, ...place }: FacetPlace & Pick<SearchRequest, "filters"> & Selected,
): readonly Chip[] {
  const q = address.pairs.find(([name]) => name === "q")?.[1] ?? "";
  return facets.flatMap((facet) =>
    (filters[facet.name] ?? []).map((key) => {
      const values = aggregations[facet.name]?.buckets ?? selected?.[facet.name];
      const value = values?.find((each) => each.key === key);
      const removed = address.minus(facet.name, key);
      const clause = clauseOf(facet, key, value);
      const excluded =
        clause === undefined
          ? {}
          : { excluded: String(removed.with("q", `${q === "" ? "" : `${bracketed(q)} `}-${clause}`)) };
      return {
        facet: facet.label,
        key,
        label: beginningOfText(labelOf(facet, value, place) ?? key, LIMITS.listTextLengthMax),
        removed: String(removed),
        ...excluded,
      };
    }),
  );
}

/** Alternatives belong together before something is added to them. */
const bracketed = (q: string): string => (/\bOR\b|\|\|/.test(q) && !/^\(.*\)$/.test(q) ? `(${q})` : q);

/** What a value of a facet is in the query language; the fields of facets have their names. */
function clauseOf(
  { name, ...facet }: SearchedFacet,
  key: string,
  bucket: SelectedValue | undefined,
): string | undefined {
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
