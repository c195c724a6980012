import type { Bucket } from "../../core/answers/searches.js";
import type { SearchedFacet } from "../../services/search/facets.js";
import { type Bar, type FacetPart, makeBar } from "./facet-part.js";
import type { SearchAddress } from "./page-addresses.js";

export const YEAR_PART: FacetPart<SearchedFacet & { readonly kind: "year" }> = {
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
