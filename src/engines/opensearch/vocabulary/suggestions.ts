import type { TermContent } from "../../../core/term.js";
import { parseStoredTerm } from "../../../core/terms/term-row.js";
import type { Page, SuggestPage, TermSuggest } from "../../../ports/search-index.js";
import type { CountedFacet } from "../../../query/facet-kinds/declared-facets.js";
import { identifierTail } from "../../../query/fields/identifiers.js";
import { makeMatchFinder, matchableValues } from "../../../query/ranking/matching-value.js";
import { bestSteps, NEAR_STEPS, prefixSteps, typedWordQuery } from "../../../query/ranking/term-steps.js";
import { EXACT_MATCHES_MIN, mayHaveTypos, readTypedText, type TypedText } from "../../../query/ranking/typed-words.js";
import type { SearchAnswer } from "../connection/multi-search.js";
import { findDuplicates, replacedTermsSearch } from "./replaced-terms.js";
import {
  allConditions,
  anyCondition,
  clauseCondition,
  compileSteps,
  facetCondition,
  hasId,
  notCondition,
  type StepCondition,
  type TermCondition,
  urlCondition,
  WITHOUT_TERMS,
} from "./term-conditions.js";
import { countTermFacets } from "./term-facets.js";
import { cutPage, type Hit, keyOfRanked, RANKED, rankedPage, readRankedKey, type TermHits } from "./term-pages.js";
import {
  changedMatches,
  countSearch,
  findUrlKey,
  lineageCondition,
  totalHits,
  unchangedQuery,
  type VocabularyState,
} from "./vocabulary-state.js";

/** A request for suggestions with the declared facets of its vocabulary. */
type FacetedSuggest = Omit<TermSuggest, "facets"> & { readonly facets: readonly CountedFacet[] };

/** Suggests terms, see `SearchIndex.suggestTerms`. */
export async function suggestTerms(state: VocabularyState, search: FacetedSuggest): Promise<SuggestPage> {
  const typed = readTypedText(search.text);
  const { matched, total, page } = await findSuggestions(state, search, typed);
  const [facets, hits] = await Promise.all([
    countAndEnd(state, matched, search.facets),
    readHits(state, page.hits, typed, search.lang),
  ]);
  return { hits, total, facets, next: page.next };
}

/** Finds exact matches; if they are few, also words that are prefixes, and then words with typos. */
async function findSuggestions(state: VocabularyState, search: FacetedSuggest, typed: TypedText): Promise<Suggested> {
  const url = identifierTail(search.text) ?? [];
  const [urlKey, lineage] = await Promise.all([findUrlKey(state, url), lineageCondition(state, search)]);
  const options: SuggestionOptions = {
    lineage,
    filter: allConditions(search.facets.map(facetCondition)),
    page: search.page,
  };
  const context = { ...WITHOUT_TERMS, typed: typed.words, urlKey };
  const exact = anyCondition([clauseCondition(typed.clause, context), urlCondition(urlKey)]);
  const best = compileSteps(bestSteps(typed.clause, typedWordQuery(typed, url), state.vocabulary), context);
  const exactTerms = await suggestExact(state, exact, best, options);
  if (exactTerms.total >= EXACT_MATCHES_MIN) return exactTerms;

  const { beginnings } = typed;
  const tolerantSteps = [
    ...(beginnings === undefined ? [] : [compileSteps(prefixSteps(beginnings.clause), context)]),
    ...(mayHaveTypos(typed.words) ? [compileSteps(NEAR_STEPS, context)] : []),
  ];
  let suggested = await readFew(state, exactTerms, best, options.filter);
  for (const stepGroup of tolerantSteps) {
    if (suggested.total < EXACT_MATCHES_MIN) suggested = await suggestTolerant(state, suggested, stepGroup, options);
  }
  return suggested;
}

/** Counts facets with the last searches of the request, and reports that there are no more. */
async function countAndEnd(
  state: VocabularyState,
  matched: TermCondition,
  facets: readonly CountedFacet[],
): Promise<SuggestPage["facets"]> {
  const counts = await countTermFacets(state, matched, facets);
  state.askedAll();
  return counts;
}

/** Reads the terms of hits, with their matches. */
async function readHits(
  { view, vocabulary }: VocabularyState,
  hits: readonly Hit[],
  typed: TypedText,
  lang: string,
): Promise<SuggestPage["hits"]> {
  const shown = await view.shownTerms(
    vocabulary.name,
    hits.map(({ id }) => id),
  );
  const whatMatched = makeMatchFinder(typed, lang);
  return shown.flatMap((term, i) => {
    if (term === undefined) return [];
    const values = matchableValues(parseStoredTerm<TermContent>(term), vocabulary);
    return [{ ...term, matched: whatMatched(values, hits[i]!.step) }];
  });
}

/** Restrictions of suggestions, and the requested page. */
interface SuggestionOptions {
  /** Restricts suggestions to terms below a term. */
  readonly lineage: TermCondition;
  /** Restricts suggestions to the selected values of facets. */
  readonly filter: TermCondition;
  readonly page: Page;
}

/** Suggested terms. */
interface Suggested {
  /** The condition that they match, without the filters of facets. */
  readonly matched: TermCondition;
  readonly total: number;
  readonly page: TermHits;
}

/** Suggests exact matches in the order of the steps. A replaced term is left out if its successor matches too. */
async function suggestExact(
  state: VocabularyState,
  exact: TermCondition,
  steps: readonly StepCondition[],
  { lineage, filter, page }: SuggestionOptions,
): Promise<Suggested> {
  const allMatches = allConditions([exact, lineage]);
  const readPage = async (
    matched: TermCondition,
    moreSearches: readonly object[],
  ): Promise<{ readonly suggested: Suggested; readonly moreAnswers: readonly SearchAnswer[] }> => {
    const filtered = allConditions([matched, filter]);
    const pageSearch = rankedPage(state, filtered, steps, page);
    const searches = [countSearch(state, filtered), ...pageSearch.searches, ...moreSearches];
    const [count, ...answers] = await state.ask(searches);
    const total = totalHits(count) + changedMatches(state, filtered).length;
    return {
      suggested: { matched, total, page: pageSearch.read(answers) },
      moreAnswers: answers.slice(pageSearch.searches.length),
    };
  };
  // Usually no replaced term matches, and one request is enough.
  const first = await readPage(allMatches, [replacedTermsSearch(state, allMatches)]);
  const duplicates = await findDuplicates(state, allMatches, first.moreAnswers[0]!);
  if (duplicates.length === 0) return first.suggested;
  return (await readPage(withoutIds(allMatches, duplicates), [])).suggested;
}

/** Suggested terms that are so few that all of them were read. */
interface FewSuggested extends Suggested {
  readonly all: readonly Hit[];
}

/** Reads all matches, which are few, if the page does not contain all of them. */
async function readFew(
  state: VocabularyState,
  suggested: Suggested,
  steps: readonly StepCondition[],
  filter: TermCondition,
): Promise<FewSuggested> {
  const { hits } = suggested.page;
  if (hits.length === suggested.total) return { ...suggested, all: hits };
  const page = { after: null, limit: EXACT_MATCHES_MIN };
  const pageSearch = rankedPage(state, allConditions([suggested.matched, filter]), steps, page);
  return { ...suggested, all: pageSearch.read(await state.ask(pageSearch.searches)).hits };
}

/**
 * Adds terms that match with prefixes or typos to the few that were found before. The steps and their terms are few, so
 * one search finds them all. The score of a hit tells its first step.
 * @param steps each step also takes the terms of the step before it
 */
async function suggestTolerant(
  state: VocabularyState,
  { matched, all: earlierHits }: FewSuggested,
  steps: readonly StepCondition[],
  { lineage, filter, page }: SuggestionOptions,
): Promise<FewSuggested> {
  const tolerant = allConditions([steps.at(-1)!, lineage]);
  const allMatches = anyCondition([matched, tolerant]);
  const readHits = async (
    page: Page,
    duplicates: readonly string[],
    moreSearches: readonly object[],
  ): Promise<TolerantHits> => {
    const earlier = earlierHits.filter(({ id }) => !duplicates.includes(id));
    // The search itself requires that a step takes each hit.
    const newMatches = withoutIds(allConditions([lineage, filter]), [
      ...earlierHits.map(({ id }) => id),
      ...duplicates,
    ]);
    const after = "after" in page && page.after !== null ? readRankedKey(page.after) : undefined;
    const [answer, ...moreAnswers] = await state.ask([stepSearch(state, newMatches, steps, page), ...moreSearches]);
    const changed = changedHits(state, newMatches, steps);
    const sortedHits = [...earlier, ...readStepHits(answer!, steps), ...changed].sort(compareHits);
    const hits = sortedHits.filter((hit) => after === undefined || compareHits(hit, after) > 0);
    const total = earlier.length + totalHits(answer) + changed.length;
    return { hits, total, moreAnswers };
  };
  let result = await readHits(page, [], [replacedTermsSearch(state, allMatches)]);
  const duplicates = await findDuplicates(state, allMatches, result.moreAnswers[0]!);
  if (duplicates.length > 0) result = await readHits(page, duplicates, []);
  const { total, hits } = result;
  const isFew = total < EXACT_MATCHES_MIN && hits.length < total;
  const all = isFew ? (await readHits({ after: null, limit: EXACT_MATCHES_MIN }, duplicates, [])).hits : hits;
  return { matched: withoutIds(allMatches, duplicates), total, all, page: cutPage(hits, page, keyOfRanked) };
}

/** Hits of one search over all steps. */
interface TolerantHits {
  readonly hits: readonly Hit[];
  readonly total: number;
  readonly moreAnswers: readonly SearchAnswer[];
}

/** Excludes ids from a condition. */
const withoutIds = (condition: TermCondition, ids: readonly string[]): TermCondition =>
  allConditions([condition, notCondition(hasId(ids))]);

/** Returns the search for the first terms by step, after the cursor of the page. */
function stepSearch(
  state: VocabularyState,
  condition: TermCondition,
  steps: readonly StepCondition[],
  page: Page,
): object {
  const queries = steps.map((step, i) => ({
    constant_score: { filter: step.query, boost: steps.length - i },
  }));
  const after = "after" in page && page.after !== null ? readRankedKey(page.after) : undefined;
  const stepIndex = steps.findIndex(({ number }) => number === after?.step);
  const skip = "offset" in page ? page.offset : 0;
  return {
    size: skip + page.limit + 1,
    track_total_hits: true,
    stored_fields: "_none_",
    docvalue_fields: ["id"],
    sort: [{ _score: "desc" }, ...RANKED.sort],
    query: { bool: { filter: [unchangedQuery(state, condition)], must: [{ dis_max: { queries } }] } },
    ...(stepIndex < 0 ? {} : { search_after: [steps.length - stepIndex, ...after!.values] }),
  };
}

/** Reads the hits of a search over all steps. The score of a hit tells its step. */
function readStepHits({ hits }: SearchAnswer, steps: readonly StepCondition[]): Hit[] {
  return hits.hits.map(({ sort = [], fields }) => {
    const [score, ...values] = sort;
    return { id: fields!.id![0]!, step: steps[steps.length - Number(score)]!.number, values };
  });
}

/** Returns the hits among the changed terms, each with its first step. */
function changedHits(state: VocabularyState, condition: TermCondition, steps: readonly StepCondition[]): Hit[] {
  const seen = new Set<string>();
  return steps.flatMap((step) =>
    changedMatches(state, allConditions([condition, step])).flatMap((term): Hit[] => {
      const { id } = term.source.content;
      if (seen.has(id)) return [];
      seen.add(id);
      return [{ id, step: step.number, values: RANKED.valuesOf(term) }];
    }),
  );
}

const compareHits = (a: Pick<Hit, "step" | "values">, b: Pick<Hit, "step" | "values">): number =>
  a.step - b.step || RANKED.compare(a.values, b.values);
