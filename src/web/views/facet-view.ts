import type { Aggregation, Bucket } from "../../core/answers/searches.js";
import { type FacetKindName, facetKind } from "../../core/catalog/facet-kinds/facet-kinds.js";
import { LIMITS } from "../../core/limits.js";
import { beginningOfText } from "../../core/records/beginning.js";
import type { Query } from "../../http/parameters/url-encoding.js";
import type { FacetCounting, SearchAnswer, SearchRequest } from "../../services/api/searches.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import { richSymbol, termName } from "../notation/names.js";
import { plainText, type RichText } from "../notation/rich-text.js";
import { type Bar, type FacetBars, type FacetPageContext, type FacetPart, makeBar } from "./facet-part.js";
import { HISTOGRAM_PART } from "./histogram-view.js";
import { NOT_PARAMETER, type Pairs, SearchAddress, termPath } from "./page-addresses.js";

/** Facet as a page shows it. */
export interface FacetView extends Partial<FacetBars> {
  readonly name: string;
  readonly label: string;
  /** Symbol of the quantity, which heads show in place of the label. */
  readonly symbol?: RichText | undefined;
  readonly isOpen: boolean;
  /** Values with their subtrees. Empty for numbers and years. */
  readonly values: readonly FacetValue[];
  /** Address of the page that shows a closed facet open. Only that page has its values. */
  readonly later?: string;
  /** Whether it is below "More filters". */
  readonly isMore: boolean;
  /** Whether values have parents. */
  readonly isTree: boolean;
  /** Address of the page with the tree of the values. Absent if they have none, or if it is shown. */
  readonly tree?: string | undefined;
  /** Number of hits with unlisted values. */
  readonly other: number;
  /** Address of the page that lists all values, and their number if it is known. Absent: all are listed. */
  readonly all?: { readonly page: string; readonly count: number | undefined } | undefined;
  /** Number of listed values if there are more than the longest list has. */
  readonly cutAt?: number | undefined;
  /** Hidden fields of the form that searches for values. Absent if all values are listed. */
  readonly find?: Pairs | undefined;
  /** Restriction of the listed values. Absent if the most frequent values are listed. */
  readonly listing?: Listing | undefined;
}

/** Restriction of a facet to the values that match a text, or to those below a term. */
interface Listing {
  readonly text: string | undefined;
  /** Key of the term, and the path of its page. */
  readonly below: { readonly key: string; readonly page: string } | undefined;
}

/** A listed value of a facet. */
export interface FacetValue extends Bucket {
  /** The label, with italics if the vocabulary has them. */
  readonly written: RichText;
  readonly below: readonly FacetValue[];
  /** Hidden fields of the form that removes the filter. Absent if the value is not selected. */
  readonly without?: Pairs | undefined;
  /** Value of the parameter `not`, which excludes this value. Absent if no query can. */
  readonly exclusion?: string | undefined;
  /** Address of the page with the values below this one. Absent if all of them are listed. */
  readonly opens?: string | undefined;
}

/** An active filter. */
export interface Chip {
  readonly facet: string;
  readonly symbol?: RichText | undefined;
  readonly label: string;
  /** The label, with italics if the vocabulary has them. */
  readonly written: RichText;
  readonly key: string;
  /** Pages without the filter, and with its opposite. */
  readonly removed: string;
  readonly excluded?: string;
}

type Aggregations = Readonly<Record<string, Aggregation>>;

/** The facets that a page shows first, and those that are open. */
export interface FacetOrder {
  /** Names of open facets. */
  readonly first: readonly string[];
  /** Names of the facets before "More filters", in this order. Absent: the open ones; there are no others below. */
  readonly order?: readonly string[] | undefined;
}

/**
 * Returns the facets that have values or are counted on request, those without a declared place in the order of their
 * declaration. Closed facets have no values: few readers look at them, and they would double the size of the page.
 */
export function facetViews(
  facets: readonly SearchedFacet[],
  aggregations: Aggregations,
  { first, order, ...page }: FacetPageContext & Pick<FacetPlace, "counting" | "showsTrees"> & FacetOrder,
): readonly FacetView[] {
  const inFront = order ?? first;
  const rank = ({ name }: SearchedFacet): number => {
    const at = inFront.indexOf(name);
    return at === -1 ? inFront.length : at;
  };
  const place = { ...page, isMore: ({ name }: SearchedFacet) => order !== undefined && !order.includes(name) };
  return facets
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((facet) => {
      const aggregation = aggregations[facet.name];
      const { names } = place.counting ?? {};
      if (aggregation === undefined) return facet.onRequest && names === undefined ? [closedFacet(facet, place)] : [];
      const isRequested = listingOf(facet, place) !== undefined || names?.includes(facet.name) === true;
      const { buckets, other } = aggregation;
      if (buckets.length === 0 && !isRequested) return [];
      const isOpen = isRequested || first.includes(facet.name) || buckets.some(({ is_selected }) => is_selected);
      return [isOpen ? openFacet(facet, aggregation, place) : closedFacet(facet, place, other > 0)];
    });
}

/** Returns the symbol of the quantity that a facet counts. */
function symbolIn(
  name: string,
  { symbolOf: declaredSymbol }: Pick<FacetPageContext, "symbolOf">,
): RichText | undefined {
  const declared = declaredSymbol?.(name);
  return declared === undefined ? undefined : richSymbol(declared);
}

/** Makes the view of a facet whose values are loaded when a reader opens it. @param isCut whether it omits values */
function closedFacet(facet: SearchedFacet, place: FacetPlace, isCut = false): FacetView {
  const { name, label } = facet;
  const { unitOf, drawBars } = facetPart(facet);
  const here = place.address.with("facets", name);
  return {
    name,
    label,
    symbol: symbolIn(name, place),
    isOpen: false,
    isMore: place.isMore?.(facet) ?? false,
    values: [],
    isTree: false,
    other: 0,
    unit: unitOf?.(facet, place),
    later: String(here),
    // The form that searches for values is outside of the closed part.
    find: isCut && drawBars === undefined ? here.pairs : undefined,
  };
}

interface FacetPlace extends FacetPageContext {
  /** Facets and values that the request selects. */
  readonly counting?: FacetCounting | undefined;
  /** Whether values with parents are shown as a tree. Default: the cited ones are shown as a list. */
  readonly showsTrees?: boolean | undefined;
  /** Returns whether a facet is below "More filters". */
  isMore?(facet: SearchedFacet): boolean;
}

/** Returns the restriction of a request to some values of its only counted facet. Undefined: no restriction. */
function listingOf(
  { vocabularies: [vocabulary = ""] }: SearchedFacet,
  { counting: { text, below: key } = {} }: FacetPlace,
): Listing | undefined {
  if (text === undefined && key === undefined) return undefined;
  return {
    text,
    below: key === undefined ? undefined : { key, page: termPath(vocabulary, key) },
  };
}

function openFacet(facet: SearchedFacet, aggregation: Aggregation, place: FacetPlace): FacetView {
  const { name } = facet;
  const isNested = facetKind(facet.kind).isNested;
  const isTree = isNested && showsTree(place);
  const listed = isNested && !isTree && !isLong(place) ? commonest(aggregation) : aggregation;
  const { label, buckets, other } = listed;
  const view = {
    name,
    label,
    symbol: symbolIn(name, place),
    isOpen: true,
    isMore: place.isMore?.(facet) ?? false,
    other,
    isTree,
    tree: isNested && !isTree ? String(place.address.with("facets", name).with("tree", "1")) : undefined,
    all: other > 0 ? allValues(facet, aggregation, place) : undefined,
    cutAt: other > 0 && isLong(place) && listingOf(facet, place) === undefined ? buckets.length : undefined,
  };
  const bars = facetPart(facet).drawBars?.(facet, buckets, place);
  return { ...view, ...(bars === undefined ? listedValues(facet, listed, place) : { ...bars, values: [] }) };
}

/** Number of cited terms that a page lists at first. */
const CITED_SHOWN = 10;

/** Returns whether a reader asked for longer lists. */
const isLong = ({ address }: FacetPlace): boolean => address.pairs.some(([name]) => name === "facet_size");

function allValues(facet: SearchedFacet, { buckets, other }: Aggregation, place: FacetPlace): FacetView["all"] {
  if (isLong(place) || listingOf(facet, place) !== undefined) return undefined;
  const page = place.address.with("facets", facet.name).with("facet_size", String(LIMITS.facetBucketsMax));
  return { page: String(page), count: other > 0 ? undefined : buckets.length };
}

/** Cuts a list of cited terms. Selected terms stay. */
function commonest(aggregation: Aggregation): Aggregation {
  const { buckets, other } = aggregation;
  const listed = buckets.filter(({ is_selected }, i) => i < CITED_SHOWN || is_selected);
  const sum = (all: readonly Bucket[]): number => all.reduce((total, { doc_count }) => total + doc_count, 0);
  return { ...aggregation, buckets: listed, other: other + sum(buckets) - sum(listed) };
}

/** Returns whether a page shows trees: a reader browses one, or has found values of one. */
const showsTree = ({ counting: { text, below } = {}, showsTrees = true }: FacetPlace): boolean =>
  showsTrees || text !== undefined || below !== undefined;

/** Returns the listed values and the links to other values. */
function listedValues(
  facet: SearchedFacet,
  { buckets, other }: Aggregation,
  place: FacetPlace,
): Pick<FacetView, "values" | "find" | "listing"> {
  const { name, kind } = facet;
  const { isNested } = facetKind(kind);
  const listing = listingOf(facet, place);
  const here = place.address.with("facets", name);
  const isCut = other > 0 || listing !== undefined;
  // A request cannot contain a longer value.
  const selectable = buckets.filter(({ key }) => key.length <= LIMITS.parameterLengthMax).map(shortLabel);
  // `has_below` is only known for the values of a subtree.
  const mayOpen = (bucket: Bucket): boolean =>
    isCut && showsTree(place) && (listing?.below === undefined || bucket.has_below === true);
  const vocabulary = facetVocabulary(facet, place);
  const linksOf = (bucket: Bucket): ValueLinks => ({
    written: place.wordsAt?.(facet.paths, bucket.key) ?? termName(vocabulary, bucket.label),
    opens: isNested && mayOpen(bucket) ? String(here.with("facet_below", bucket.key)) : undefined,
    without: bucket.is_selected ? place.address.minus(name, bucket.key).pairs : undefined,
    exclusion: facetPart(facet).clauseOf(facet, bucket.key, bucket) && `${name}:${bucket.key}`,
  });
  const values = treeOf(selectable, linksOf);
  return isCut ? { values, find: here.pairs, listing } : { values };
}

/** Shortens the label of a value. Old records may have labels of any length. */
function shortLabel<T extends Pick<Bucket, "label">>(bucket: T): T {
  return { ...bucket, label: beginningOfText(bucket.label, LIMITS.listTextLengthMax) };
}

/** Links of a value, and its label as it is written. */
type ValueLinks = Pick<FacetValue, "opens" | "without" | "written" | "exclusion">;

const facetVocabulary = ({ vocabularies: [name = ""] }: SearchedFacet, place: Pick<FacetPageContext, "vocabularies">) =>
  place.vocabularies?.get(name);

/** Arranges values as a tree. A value whose parent is not listed is a root. */
function treeOf(buckets: readonly Bucket[], linksOf: (bucket: Bucket) => ValueLinks): readonly FacetValue[] {
  const keys = new Set(buckets.map(({ key }) => key));
  const under = (parent: string | undefined): readonly FacetValue[] =>
    buckets
      .filter(
        (bucket) => (bucket.parent !== undefined && keys.has(bucket.parent) ? bucket.parent : undefined) === parent,
      )
      .map((bucket) => ({ ...bucket, ...linksOf(bucket), below: under(bucket.key) }));
  return under(undefined);
}

/** Labels of selected values of facets without counts. */
type Selected = { readonly selected?: SearchAnswer<unknown>["selected"] | undefined };

/** Returns the active filters, with the pages without each filter and with its opposite. */
export function chipsOf(
  facets: readonly SearchedFacet[],
  aggregations: Aggregations,
  { address, filters, selected, ...place }: FacetPlace & Pick<SearchRequest, "filters"> & Selected,
): readonly Chip[] {
  const q = address.pairs.find(([name]) => name === "q")?.[1] ?? "";
  return facets.flatMap((facet) => {
    const { clauseOf, labelOf } = facetPart(facet);
    return (filters[facet.name] ?? []).map((key) => {
      const values = aggregations[facet.name]?.buckets ?? selected?.[facet.name];
      const value = values?.find((each) => each.key === key);
      const removed = address.minus(facet.name, key);
      const written = place.wordsAt?.(facet.paths, key);
      const label = beginningOfText(
        (written && plainText(written)) ?? (value && (labelOf?.(facet, value, place) ?? value.label)) ?? key,
        LIMITS.listTextLengthMax,
      );
      const excluding = exclude(q, clauseOf(facet, key, value));
      return {
        facet: facet.label,
        symbol: symbolIn(facet.name, place),
        key,
        label,
        written: written ?? termName(facetVocabulary(facet, place), label),
        removed: String(removed),
        ...(excluding === undefined ? {} : { excluded: String(removed.with("q", excluding)) }),
      };
    });
  });
}

/** Returns a query with the opposite of a clause. Undefined if there is no clause. */
const exclude = (q: string, clause: string | undefined): string | undefined =>
  clause === undefined ? undefined : `${q === "" ? "" : `${parenthesize(q)} `}-${clause}`;

/**
 * Returns the search that the parameter `not` requests: the current search without a value of a facet
 * (`organism:taxid:562`). The query excludes the value, so all forms of the result exclude it. Undefined without the
 * parameter.
 */
export function excludingAddress(
  facets: readonly SearchedFacet[],
  path: string,
  query: Query,
): SearchAddress | undefined {
  const exclusion = query.get(NOT_PARAMETER)?.[0];
  if (exclusion === undefined) return undefined;
  const address = SearchAddress.of(path, query).with(NOT_PARAMETER, undefined);
  const [, name = "", key = ""] = /^([^:]*):(.*)$/su.exec(exclusion) ?? [];
  const facet = facets.find((each) => each.name === name);
  const q = query.get("q")?.[0] ?? "";
  const excluding = facet && key !== "" ? exclude(q, facetPart(facet).clauseOf(facet, key, undefined)) : undefined;
  return excluding === undefined ? address : address.minus(name, key).with("q", excluding);
}

/** Puts a query with alternatives in parentheses, so that a clause can be added. */
const parenthesize = (q: string): string => (/\bOR\b|\|\|/.test(q) && !/^\(.*\)$/.test(q) ? `(${q})` : q);

type FacetOfKind<Kind extends FacetKindName> = SearchedFacet & { readonly kind: Kind };

const TERMS_PART: FacetPart<FacetOfKind<"terms">> = {
  clauseOf: ({ name, vocabulary }, key) =>
    vocabulary === undefined || !key.includes(":") ? `${name}:${quoted(key)}` : `${name}:${key}`,
};

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

const TREE_PART: FacetPart<FacetOfKind<"tree">> = {
  clauseOf: ({ name }, key) => `${name}.within:${key}`,
};

const YEAR_PART: FacetPart<FacetOfKind<"year">> = {
  drawBars: ({ name }, buckets, { address }) => ({ bars: yearBars(name, buckets, address) }),
  clauseOf: ({ name }, key) => `${name}:${key}`,
};

/** Returns a bar for each year between the first and the last with hits. */
function yearBars(name: string, buckets: readonly Bucket[], address: SearchAddress): readonly Bar[] {
  const years = buckets.map(({ key }) => Number(key)).filter(Number.isInteger);
  const first = years.reduce((a, b) => Math.min(a, b), years[0] ?? 0);
  const last = years.reduce((a, b) => Math.max(a, b), years[0] ?? -1);
  if (last - first >= YEARS_MAX) return buckets.map((bucket) => makeBar(name, bucket, address)).reverse();
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const key = String(first + i).padStart(4, "0");
    const bucket = buckets.find((each) => each.key === key);
    return bucket === undefined
      ? { label: key, from: key, count: 0, isSelected: false }
      : makeBar(name, bucket, address);
  });
}

/** Maximum range of years. A longer range has only bars with hits, because a wrong century would make bars too thin. */
const YEARS_MAX = 60;

const FACET_PARTS: { readonly [Kind in FacetKindName]: FacetPart<FacetOfKind<Kind>> } = {
  terms: TERMS_PART,
  tree: TREE_PART,
  year: YEAR_PART,
  histogram: HISTOGRAM_PART,
};

/** Returns the presentation of a facet. */
export const facetPart = ({ kind }: SearchedFacet): FacetPart<SearchedFacet> => FACET_PARTS[kind];
