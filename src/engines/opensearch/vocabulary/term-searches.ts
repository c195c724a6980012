import type { Catalog } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import type { TermPage, TermSearch } from "../../../ports/search-index.js";
import { type CountedFacet, makeFacetLookup } from "../../../query/facets/declared-facets.js";
import { describeClause } from "../../../query/index-model/clause.js";
import { bestMatchTermSteps, REST_STEP } from "../../../query/ranking/term-steps.js";
import type { IndexSearches, SearchedVocabulary } from "../../separate-index/driver/index-driver.js";
import { isTooCostly } from "../connection/map-error.js";
import type { IndexAnswer } from "../connection/multi-search.js";
import { nearWordsSearch, rankNearWords } from "../query/count-near-words.js";
import { EVERYTHING_QUERY } from "../query/dsl.js";
import { suggestTerms } from "./suggestions.js";
import {
  allConditions,
  anyCondition,
  type ConditionContext,
  clauseCondition,
  compileStep,
  EVERY_TERM,
  facetCondition,
  type StepCondition,
  type TermCondition,
  urlCondition,
} from "./term-conditions.js";
import { countTermFacets } from "./term-facets.js";
import { readRankedPage, readSortedPage, type TermHits } from "./term-pages.js";
import {
  countTerms,
  findUrlKey,
  lineageCondition,
  readDescendants,
  unchangedQuery,
  type VocabularyState,
} from "./vocabulary-state.js";

/** Searches of vocabularies. Each uses one state. @throws BinderyError QUERY_TOO_COSTLY, SEARCH_UNAVAILABLE */
type TermSearches = Pick<IndexSearches<IndexAnswer>, "searchTerms" | "suggestTerms" | "nearestTermWords">;

/** Makes the searches of vocabularies. */
export function makeTermSearches(
  { vocabularies }: Catalog,
  limits: Pick<VocabularyState, "belowMax" | "visitedMax">,
): TermSearches {
  const lookup = makeFacetLookup(vocabularies);
  const run = async <T>(
    vocabulary: string,
    { ask, view, askedAll, overlay }: SearchedVocabulary<IndexAnswer>,
    describe: () => string,
    work: (state: VocabularyState) => Promise<T>,
  ): Promise<T> => {
    try {
      return await work({ vocabulary: vocabularies.get(vocabulary)!, view, askedAll, ...limits, ...overlay, ask });
    } catch (error) {
      throw isTooCostly(error) ? fail("QUERY_TOO_COSTLY", { clause: describe() }, error) : error;
    }
  };
  return {
    searchTerms: (search, where) =>
      run(
        search.vocabulary,
        where,
        () => describeClause(search.clause),
        (state) => searchTerms(state, { ...search, facets: lookup([search.vocabulary], search.facets) }),
      ),
    suggestTerms: (search, where) =>
      run(
        search.vocabulary,
        where,
        () => search.text,
        (state) => suggestTerms(state, { ...search, facets: lookup([search.vocabulary], search.facets) }),
      ),
    nearestTermWords: (vocabulary, word, limit, where) =>
      run(
        vocabulary,
        where,
        () => word,
        (state) => nearestWords(state, word, limit),
      ),
  };
}

/** Returns the words within two edits of a word, see `SearchIndex.nearestWords`. */
async function nearestWords(state: VocabularyState, word: string, limit: number): Promise<readonly string[]> {
  const among = unchangedQuery(state, EVERY_TERM);
  const [answer] = await state.ask([nearWordsSearch(word, { fields: ["words"], words: "words", among, hint: "map" })]);
  return rankNearWords(
    word,
    limit,
    answer,
    state.terms.map(({ inMemory }) => inMemory.occurrences.keys()),
  );
}

/** A search with the declared facets of its vocabulary. */
type FacetedSearch = Omit<TermSearch, "facets"> & { readonly facets: readonly CountedFacet[] };

/** Searches terms, see `SearchIndex.searchTerms`. */
async function searchTerms(state: VocabularyState, search: FacetedSearch): Promise<TermPage> {
  const { clause, url = [], facets } = search;
  const [descendants, urlKey] = await Promise.all([readDescendants(state, clause), findUrlKey(state, url)]);
  const context = { vocabulary: state.vocabulary.name, ...descendants, urlKey };
  const matches = anyCondition([clauseCondition(clause, context), urlCondition(urlKey)]);
  const matched = allConditions([matches, await lineageCondition(state, search)]);
  const filtered = allConditions([matched, ...facets.map(facetCondition)]);
  const [{ hits, next }, total, counts] = await Promise.all([
    readPage(state, { matches, filtered }, search, context),
    countTerms(state, filtered),
    countTermFacets(state, matched, facets),
  ]);
  const shown = state.view.shownTerms(
    state.vocabulary.name,
    hits.map(({ id }) => id),
  );
  state.askedAll();
  return {
    hits: (await shown).flatMap((term) => term ?? []),
    total,
    facets: counts,
    next,
  };
}

/** The page of a search that only counts. */
const NO_HITS: TermHits = { hits: [] };

/** Reads the page in the requested order. */
async function readPage(
  state: VocabularyState,
  { matches, filtered }: { readonly matches: TermCondition; readonly filtered: TermCondition },
  search: FacetedSearch,
  context: ConditionContext,
): Promise<TermHits> {
  const { clause, plain, url = [], sort, lang, page } = search;
  const { languages } = state.vocabulary;
  if (page.limit === 0) return NO_HITS;
  if (sort !== "bestmatch" && sort !== "mostcited") {
    return readSortedPage(state, filtered, { sort, lang: languages.includes(lang) ? lang : languages[0]! }, page);
  }
  const ranking =
    sort === "mostcited" ? [REST_STEP] : bestMatchTermSteps(clause, plain && { words: plain, url }, state.vocabulary);
  const steps = ranking.map((step) => compileStep(step, context));
  return readRankedPage(state, filtered, endSteps(steps, matches), page);
}

/**
 * Ends the steps with the first one that takes every match, such as any step of a negation. A page of a single step
 * ends after its first hits.
 */
function endSteps(steps: readonly StepCondition[], { query }: TermCondition): readonly StepCondition[] {
  const text = JSON.stringify(query);
  return steps.map((step) => (JSON.stringify(step.query) === text ? { ...step, query: EVERYTHING_QUERY } : step));
}
