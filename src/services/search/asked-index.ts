import type { SearchIndex } from "../../ports/search-index.js";
import type { SearchAnswer } from "../api/search-services.js";

type Searches = Pick<SearchIndex, "searchRecords" | "searchTerms" | "suggestTerms">;

/** The index as one request asks it, however often. */
interface AskedIndex extends Searches {
  /** What is said of an answer that is made of all that the index answered. @param isUnsettled for another reason */
  settled(isUnsettled: boolean): Pick<SearchAnswer<unknown>, "isUnsettled" | "behind">;
}

/** @param mayBeBehind whether the request is rather answered without the last changes than refused */
export function askIndex(index: Searches, mayBeBehind = false): AskedIndex {
  let most = 0;
  const noted = <Page extends { readonly behind?: number }>(page: Page): Page => {
    most = Math.max(most, page.behind ?? 0);
    return page;
  };
  return {
    searchRecords: async (search) => noted(await index.searchRecords({ ...search, mayBeBehind })),
    searchTerms: async (search) => noted(await index.searchTerms({ ...search, mayBeBehind })),
    suggestTerms: async (suggest) => noted(await index.suggestTerms({ ...suggest, mayBeBehind })),
    settled: (isUnsettled) => ({
      ...(isUnsettled || most > 0 ? { isUnsettled: true } : {}),
      ...(most > 0 ? { behind: most } : {}),
    }),
  };
}
