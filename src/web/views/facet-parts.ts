/** All kinds of facet, as pages show them. */
import type { FacetKindName } from "../../core/catalog/facet-kinds/facet-kinds.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import type { FacetPart } from "./facet-part.js";
import { HISTOGRAM_PART } from "./histogram-view.js";
import { YEAR_PART } from "./year-view.js";

type FacetOfKind<Kind extends FacetKindName> = SearchedFacet & { readonly kind: Kind };

const TERMS_PART: FacetPart<FacetOfKind<"terms">> = {
  clauseOf: ({ name, vocabulary }, key) =>
    vocabulary === undefined || !key.includes(":") ? `${name}:${quoted(key)}` : `${name}:${key}`,
};

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

const TREE_PART: FacetPart<FacetOfKind<"tree">> = {
  clauseOf: ({ name }, key) => `${name}.within:${key}`,
};

const FACET_PARTS: { readonly [Kind in FacetKindName]: FacetPart<FacetOfKind<Kind>> } = {
  terms: TERMS_PART,
  tree: TREE_PART,
  year: YEAR_PART,
  histogram: HISTOGRAM_PART,
};

/** Returns the presentation of a facet. */
export const facetPart = ({ kind }: SearchedFacet): FacetPart<SearchedFacet> => FACET_PARTS[kind];
