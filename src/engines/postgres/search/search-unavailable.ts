import { fail } from "../../../core/errors.js";
import type { SearchIndex } from "../../../ports/search-index.js";

/** The index of a store that has none: all that needs no search is served, and searches say what is missing. */
export function makeSearchUnavailable(close: () => Promise<void>): SearchIndex {
  const refuse = async (): Promise<never> => {
    throw fail("SEARCH_UNAVAILABLE", { setting: "BINDERY_SEARCH_URL" });
  };
  return {
    searchRecords: refuse,
    searchTerms: refuse,
    suggestTerms: refuse,
    // Words that may have been meant are left out of messages.
    nearestWords: async () => [],
    openSnapshot: refuse,
    close,
  };
}
