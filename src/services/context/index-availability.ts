/** Searches that an answer can do without, and answers that may lack the last changes. */
import { BinderyError } from "../../core/errors.js";
import type { SearchIndex } from "../../ports/search-index.js";
import type { SearchAnswer } from "../api/searches.js";

/** Codes of a search that takes too long, or that needs data which take too long to load. */
const TOO_SLOW: ReadonlySet<string> = new Set(["QUERY_TOO_COSTLY", "INDEX_LOADING"]);

/** Returns whether a search or look-up failed because it takes too long, so that an answer can do without it. */
export const isTooSlow = (error: unknown): boolean => error instanceof BinderyError && TOO_SLOW.has(error.code);

/**
 * Returns an empty result for a search that only adds to an answer, if it takes too long or there is no index.
 * @throws any other error
 */
export function emptyIfUnavailable(error: unknown): { readonly hits: readonly []; readonly total: undefined } {
  const isUnavailable = error instanceof BinderyError && error.code === "SEARCH_UNAVAILABLE";
  if (isTooSlow(error) || isUnavailable) return { hits: [], total: undefined };
  throw error;
}

type Searches = Pick<SearchIndex, "searchRecords" | "searchTerms" | "suggestTerms">;

/** The index for the searches of one request. It remembers the largest number of changes that a result lacked. */
interface RequestIndex extends Searches {
  /** Returns the flags of the answer to the request. @param isUnsettled whether it is unsettled for another reason */
  answerFlags(isUnsettled: boolean): Pick<SearchAnswer<unknown>, "isUnsettled" | "behind">;
}

/**
 * Makes the index for the searches of one request.
 * @param mayBeBehind whether a result may lack the last changes. If not, the search fails instead
 */
export function makeRequestIndex(index: Searches, mayBeBehind = false): RequestIndex {
  let behindMax = 0;
  const noteBehind = <Page extends { readonly behind?: number | undefined }>(page: Page): Page => {
    behindMax = Math.max(behindMax, page.behind ?? 0);
    return page;
  };
  return {
    searchRecords: async (search) => noteBehind(await index.searchRecords({ ...search, mayBeBehind })),
    searchTerms: async (search) => noteBehind(await index.searchTerms({ ...search, mayBeBehind })),
    suggestTerms: async (suggest) => noteBehind(await index.suggestTerms({ ...suggest, mayBeBehind })),
    answerFlags: (isUnsettled) => ({
      ...(isUnsettled || behindMax > 0 ? { isUnsettled: true } : {}),
      ...(behindMax > 0 ? { behind: behindMax } : {}),
    }),
  };
}
