import type { Aggregation, Bucket } from "../../core/answers/searches.js";
import { facetKind } from "../../core/catalog/facet-kinds/facet-kinds.js";
import { LIMITS } from "../../core/limits.js";
import { beginningOfText } from "../../core/records/beginning.js";
import type { Counting, SearchAnswer, SearchRequest } from "../../services/api/searches.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import { symbolOf, termName } from "../notation/names.js";
import { plainText, type RichText } from "../notation/rich-text.js";
import type { FacetBars, FacetPageContext } from "./facet-part.js";
import { facetPart } from "./facet-parts.js";
import { type Pairs, termPath } from "./page-addresses.js";

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
  /** Whether values have parents. */
  readonly isTree: boolean;
  /** Number of hits with unlisted values. */
  readonly other: number;
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

export interface FacetValue extends Bucket {
  /** The label, with italics if the vocabulary has them. */
  readonly written: RichText;
  readonly below: readonly FacetValue[];
  /** Hidden fields of the form that removes the filter. Absent if the value is not selected. */
  readonly without?: Pairs | undefined;
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

/**
 * Returns the facets that have values or are counted on request: the `first` ones open, then the others in the order of
 * their declaration. Closed facets have no values, which few readers look at and which would double the page.
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
  return declared === undefined ? undefined : symbolOf(declared);
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
  readonly counting?: Counting | undefined;
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
  const { label, buckets, other } = aggregation;
  const view = {
    name,
    label,
    symbol: symbolIn(name, place),
    isOpen: true,
    other,
    isTree: facetKind(facet.kind).isNested,
  };
  const bars = facetPart(facet).drawBars?.(facet, buckets, place);
  return { ...view, ...(bars === undefined ? valuesOf(facet, aggregation, place) : { ...bars, values: [] }) };
}

/** Returns the listed values and the links to other values. */
function valuesOf(
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
  const mayOpen = (bucket: Bucket): boolean => isCut && (listing?.below === undefined || bucket.has_below === true);
  const vocabulary = vocabularyOf(facet, place);
  const linksOf = (bucket: Bucket): ValueLinks => ({
    written: place.wordsAt?.(facet.paths, bucket.key) ?? termName(vocabulary, bucket.label),
    opens: isNested && mayOpen(bucket) ? String(here.with("facet_below", bucket.key)) : undefined,
    without: bucket.is_selected ? place.address.minus(name, bucket.key).pairs : undefined,
  });
  const values = treeOf(selectable, linksOf);
  return isCut ? { values, find: here.pairs, listing } : { values };
}

/** Shortens the label of a value. Old records may have labels of any length. */
function shortLabel<T extends Pick<Bucket, "label">>(bucket: T): T {
  return { ...bucket, label: beginningOfText(bucket.label, LIMITS.listTextLengthMax) };
}

/** Links of a value, and its label as it is written. */
type ValueLinks = Pick<FacetValue, "opens" | "without" | "written">;

const vocabularyOf = ({ vocabularies: [name = ""] }: SearchedFacet, place: Pick<FacetPageContext, "vocabularies">) =>
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
      const clause = clauseOf(facet, key, value);
      const written = place.wordsAt?.(facet.paths, key);
      const label = beginningOfText(
        (written && plainText(written)) ?? (value && (labelOf?.(facet, value, place) ?? value.label)) ?? key,
        LIMITS.listTextLengthMax,
      );
      const excluded =
        clause === undefined
          ? {}
          : { excluded: String(removed.with("q", `${q === "" ? "" : `${parenthesize(q)} `}-${clause}`)) };
      return {
        facet: facet.label,
        symbol: symbolIn(facet.name, place),
        key,
        label,
        written: written ?? termName(vocabularyOf(facet, place), label),
        removed: String(removed),
        ...excluded,
      };
    });
  });
}

/** Puts a query with alternatives in parentheses, so that a clause can be added. */
const parenthesize = (q: string): string => (/\bOR\b|\|\|/.test(q) && !/^\(.*\)$/.test(q) ? `(${q})` : q);
