/** Searches that an answer can do without, and answers that may lack the last changes. */
import { BinderyError } from "../../core/errors.js";
import type { RecordPage, RecordSearch, SearchIndex, TermPage, TermSearch } from "../../ports/search-index.js";
import type { Clause } from "../../query/index-model/clause.js";
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

/** Members that differ between the clauses to count, or that counts do not depend on. */
type Uncounted = "clause" | "sort" | "page";

const NO_HITS = { offset: 0, limit: 0 } as const;

/** The index for the searches of one request. It remembers the largest number of changes that a result lacked. */
interface RequestIndex extends Searches {
  /** Returns the number of hits of each clause. */
  countRecords(search: Omit<RecordSearch, Uncounted>, clauses: readonly Clause[]): Promise<readonly number[]>;
  countTerms(search: Omit<TermSearch, Uncounted>, clauses: readonly Clause[]): Promise<readonly number[]>;
  /** Whether several clauses are counted together, in about the time for one. */
  readonly countsTogether: boolean;
  /** Returns the flags of the answer to the request. @param isUnsettled whether it is unsettled for another reason */
  answerFlags(isUnsettled: boolean): Pick<SearchAnswer<unknown>, "isUnsettled" | "behind">;
}

/**
 * Makes the index for the searches of one request.
 * @param mayBeBehind whether a result may lack the last changes. If not, the search fails instead
 */
export function makeRequestIndex(index: Searches & Pick<SearchIndex, "together">, mayBeBehind = false): RequestIndex {
  const { together } = index;
  let behindMax = 0;
  const noteBehind = <Page extends { readonly behind?: number | undefined }>(page: Page): Page => {
    behindMax = Math.max(behindMax, page.behind ?? 0);
    return page;
  };
  const totalsOf = (pages: readonly (RecordPage | TermPage)[]): readonly number[] =>
    pages.map((page) => noteBehind(page).total);
  return {
    searchRecords: async (search) => noteBehind(await index.searchRecords({ ...search, mayBeBehind })),
    searchTerms: async (search) => noteBehind(await index.searchTerms({ ...search, mayBeBehind })),
    suggestTerms: async (suggest) => noteBehind(await index.suggestTerms({ ...suggest, mayBeBehind })),
    countRecords: async (search, clauses) => {
      const all = clauses.map((clause) => ({ ...search, clause, sort: "newest", page: NO_HITS, mayBeBehind }) as const);
      return totalsOf(
        await (together?.searchRecords(all) ?? Promise.all(all.map((each) => index.searchRecords(each)))),
      );
    },
    countTerms: async (search, clauses) => {
      const all = clauses.map((clause) => ({ ...search, clause, sort: "title", page: NO_HITS, mayBeBehind }) as const);
      return totalsOf(await (together?.searchTerms(all) ?? Promise.all(all.map((each) => index.searchTerms(each)))));
    },
    countsTogether: together !== undefined,
    answerFlags: (isUnsettled) => ({
      ...(isUnsettled || behindMax > 0 ? { isUnsettled: true } : {}),
      ...(behindMax > 0 ? { behind: behindMax } : {}),
    }),
  };
}
