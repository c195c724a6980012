import { fail } from "../../../core/errors.js";
import type { SearchIndex } from "../../../ports/search-index.js";

/** Makes the index of a store without a search engine: searches fail with an error that names the missing setting. */
export function makeSearchUnavailable(close: () => Promise<void>): SearchIndex {
  const refuse = async (): Promise<never> => {
    throw fail("SEARCH_UNAVAILABLE", { setting: "BINDERY_SEARCH_URL" });
  };
  return {
    searchRecords: refuse,
    searchTerms: refuse,
    suggestTerms: refuse,
    // Errors then suggest no similar words.
    nearestWords: async () => [],
    openSnapshot: refuse,
    close,
  };
}
