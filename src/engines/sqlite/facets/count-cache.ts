import { LRUCache } from "lru-cache";
import type { FacetCounts } from "../../../ports/search-index.js";

/** What all pages of one search have in common, and what costs most: it looks at every hit. */
export interface Counts {
  readonly total: number;
  readonly facets: readonly FacetCounts[];
}

/** Counts of the last searches, each right as long as nothing has changed since. */
export interface CountCache {
  /**
   * @param search all that the counts depend on, but for the page
   * @param state names the state of what is searched
   */
  get(search: unknown, state: string, count: () => Counts): Counts;
}

const SEARCHES_MAX = 64;

/** Longer searches, and counts of more buckets, are not kept: so all of it stays below some megabytes. */
const KEY_LENGTH_MAX = 8_192;
const BUCKETS_MAX = 1_000;

export function makeCountCache(): CountCache {
  const kept = new LRUCache<string, { readonly state: string; readonly counts: Counts }>({ max: SEARCHES_MAX });
  return {
    get(search, state, count) {
      const key = JSON.stringify(search);
      const found = kept.get(key);
      if (found?.state === state) return found.counts;
      const counts = count();
      const buckets = counts.facets.reduce((sum, facet) => sum + facet.buckets.length, 0);
      if (key.length <= KEY_LENGTH_MAX && buckets <= BUCKETS_MAX) kept.set(key, { state, counts });
      return counts;
    },
  };
}
