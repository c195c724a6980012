import type { Catalog } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import type { SuggestPage, TermPage, TermSearch, TermSuggest } from "../../../ports/search-index.js";
import { describeClause } from "../../../query/index-model/clause.js";
import { makeFacetLookup } from "../../../query/index-model/declared-facets.js";
import { isTooCostly } from "../connection/map-error.js";
import type { AskIndex } from "../connection/multi-search.js";
import type { TermOverlay } from "../overlay/term-overlay.js";
import type { TermPlace } from "./asked-place.js";
import { nearestWords } from "./near-words.js";
import { searchTerms } from "./searched-terms.js";
import { suggestTerms } from "./suggested-terms.js";

/** Where a vocabulary is searched. */
export interface SearchedVocabulary {
  /** Asks its index. */
  readonly ask: AskIndex;
  readonly view: TermPlace["view"];
  readonly askedAll: TermPlace["askedAll"];
  readonly overlay: TermOverlay;
}

/** Searches of vocabularies, each in one state. @throws BinderyError QUERY_TOO_COSTLY, SEARCH_UNAVAILABLE */
interface TermSearches {
  searchTerms(search: TermSearch, where: SearchedVocabulary): Promise<TermPage>;
  suggestTerms(suggest: TermSuggest, where: SearchedVocabulary): Promise<SuggestPage>;
  nearestWords(vocabulary: string, word: string, limit: number, where: SearchedVocabulary): Promise<readonly string[]>;
}

/** @param belowMax see `TermPlace.belowMax` */
export function makeTermSearches({ vocabularies }: Catalog, belowMax: number): TermSearches {
  const lookup = makeFacetLookup(vocabularies);
  const run = async <T>(
    vocabulary: string,
    { ask, view, askedAll, overlay }: SearchedVocabulary,
    costly: () => string,
    work: (place: TermPlace) => Promise<T>,
  ): Promise<T> => {
    try {
      return await work({ vocabulary: vocabularies.get(vocabulary)!, view, askedAll, belowMax, ...overlay, ask });
    } catch (error) {
      throw isTooCostly(error) ? fail("QUERY_TOO_COSTLY", { clause: costly() }, error) : error;
    }
  };
  return {
    searchTerms: (search, where) =>
      run(
        search.vocabulary,
        where,
        () => describeClause(search.clause),
        (place) => searchTerms(place, { ...search, facets: lookup([search.vocabulary], search.facets) }),
      ),
    suggestTerms: (search, where) =>
      run(
        search.vocabulary,
        where,
        () => search.text,
        (place) => suggestTerms(place, { ...search, facets: lookup([search.vocabulary], search.facets) }),
      ),
    nearestWords: (vocabulary, word, limit, where) =>
      run(
        vocabulary,
        where,
        () => word,
        (place) => nearestWords(place, word, limit),
      ),
  };
}
