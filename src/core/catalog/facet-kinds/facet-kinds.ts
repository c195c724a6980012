/** All kinds of facet, as models and vocabularies declare them. */
import type { DeclaredKind } from "./declared-kind.js";
import { HISTOGRAM, type HistogramValues } from "./histogram.js";
import { TERMS, type TermsValues } from "./terms.js";
import { TREE, type TreeValues } from "./tree.js";
import { YEAR, type YearValues } from "./year.js";

/** The values that a facet counts: a compiled declaration of any kind. */
export type FacetValues = TermsValues | TreeValues | YearValues | HistogramValues;

/** Name of a kind of facet. Every table of kinds has an entry for each of them. */
export type FacetKindName = FacetValues["kind"];

/** The values of one kind. */
export type ValuesOfKind<Kind extends FacetKindName> = Extract<FacetValues, { readonly kind: Kind }>;

/** Declarations by the names of the kinds, in the order in which messages list them. */
const FACET_KINDS: { readonly [Kind in FacetKindName]: DeclaredKind<ValuesOfKind<Kind>> } = {
  terms: TERMS,
  tree: TREE,
  year: YEAR,
  histogram: HISTOGRAM,
};

export const FACET_KIND_NAMES = Object.keys(FACET_KINDS) as readonly FacetKindName[];

/** Returns the declaration of a kind. */
export const declaredKind = (name: FacetKindName): DeclaredKind<FacetValues> => FACET_KINDS[name];

/** Returns the names of the kinds with some property. */
export const kindsWhere = (has: (kind: DeclaredKind<FacetValues>) => boolean): readonly FacetKindName[] =>
  FACET_KIND_NAMES.filter((name) => has(FACET_KINDS[name]));

/** Returns whether a kind counts numbers, which may have a unit. */
export const countsNumbers = (name: FacetKindName): boolean => declaredKind(name).leafType === "number";

/** Returns the vocabulary whose hierarchy a facet counts; undefined if it counts none. */
export const hierarchyOf = (facet: FacetValues): string | undefined =>
  declaredKind(facet.kind).isNested && "vocabulary" in facet ? facet.vocabulary : undefined;
