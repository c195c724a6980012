/** All kinds of facet, as pages show them. */
import type { Bucket } from "../../core/answers/searches.js";
import type { FacetKindName } from "../../core/catalog/facet-kinds/facet-kinds.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import { type Bar, type FacetPart, makeBar } from "./facet-part.js";
import { HISTOGRAM_PART } from "./histogram-view.js";
import type { SearchAddress } from "./page-addresses.js";

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
