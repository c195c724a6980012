import type { TermContent } from "../../../core/term.js";
import { parseStoredTerm } from "../../../core/terms/term-row.js";
import type { SuggestPage, TermSuggest } from "../../../ports/search-index.js";
import type { CountedFacet } from "../../../query/facets/declared-facets.js";
import { identifierTail } from "../../../query/fields/identifiers.js";
import { makeMatchFinder, matchableValues } from "../../../query/ranking/matching-value.js";
import {
  bestSteps,
  NEAR_STEPS,
  type Tolerance,
  typedWordQuery,
  withTolerantSteps,
} from "../../../query/ranking/term-steps.js";
import { EXACT_MATCHES_MIN, mayHaveTypos, readTypedText, type TypedText } from "../../../query/ranking/typed-words.js";
import { hasTooManyClauses } from "../connection/map-error.js";
import { countReplaced, findDuplicates } from "./replaced-terms.js";
import {
  allConditions,
  anyCondition,
  clauseCondition,
  compileStep,
  facetCondition,
  hasId,
  NO_TERM,
  notCondition,
  type StepCondition,
  type TermCondition,
  urlCondition,
  WITHOUT_TERMS,
} from "./term-conditions.js";
import { countTermFacets } from "./term-facets.js";
import { type Hit, readRankedPage, type TermHits } from "./term-pages.js";
import { countTerms, findUrlKey, lineageCondition, type VocabularyState } from "./vocabulary-state.js";

/** A request for suggestions with the declared facets of its vocabulary. */
type FacetedSuggest = Omit<TermSuggest, "facets"> & { readonly facets: readonly CountedFacet[] };

/** Suggests terms, see `SearchIndex.suggestTerms`. */
export async function suggestTerms(state: VocabularyState, search: FacetedSuggest): Promise<SuggestPage> {
  const typed = readTypedText(search.text);
  const { page, total, facets } = await findSuggestions(state, search, typed);
  return { hits: await readHits(state, page.hits, typed, search.lang), total, facets, next: page.next };
}

/** Finds exact matches; if they are few, also words that are prefixes, and then words with typos. */
async function findSuggestions(state: VocabularyState, search: FacetedSuggest, typed: TypedText): Promise<Suggested> {
  const url = identifierTail(search.text) ?? [];
  const [urlKey, lineage] = await Promise.all([findUrlKey(state, url), lineageCondition(state, search)]);
  const context = { ...WITHOUT_TERMS, typed: typed.words, urlKey };
  const exact = anyCondition([clauseCondition(typed.clause, context), urlCondition(urlKey)]);
  const best = bestSteps(typed.clause, typedWordQuery(typed, url), state.vocabulary);
  const isFew = ({ total }: Suggested): boolean => total < EXACT_MATCHES_MIN;
  const exactSteps = best.map((step) => compileStep(step, context));
  let suggested = await suggest(state, allConditions([exact, lineage]), exactSteps, search);
  const suggestAlso = async (inexact: TermCondition, tolerance: Tolerance): Promise<Suggested> => {
    const steps = withTolerantSteps(best, tolerance).map((step): StepCondition => {
      const { number, query, test } = compileStep(step, context);
      if (step.isExact !== true) return { number, query, test };
      return { number, query, test: (term) => exact.test(term) && test(term), within: exact };
    });
    const matched = allConditions([anyCondition([exact, inexact]), lineage]);
    return suggest(state, matched, steps, search, Number.POSITIVE_INFINITY).catch((error: unknown) => {
      // A text of more than about forty words is searched without tolerance.
      if (!hasTooManyClauses(error)) throw error;
      return suggested;
    });
  };

  const beginnings = isFew(suggested) ? typed.beginnings?.clause : undefined;
  const inexact = beginnings === undefined ? NO_TERM : clauseCondition(beginnings, context);
  if (beginnings !== undefined) suggested = await suggestAlso(inexact, { beginnings, isNear: false });
  if (isFew(suggested) && mayHaveTypos(typed.words)) {
    const near = compileStep(NEAR_STEPS.at(-1)!, context);
    suggested = await suggestAlso(anyCondition([inexact, near]), { beginnings, isNear: true });
  }
  return suggested;
}

/** Reads the terms of hits, with their matches. */
async function readHits(
  { view, vocabulary, askedAll }: VocabularyState,
  hits: readonly Hit[],
  typed: TypedText,
  lang: string,
): Promise<SuggestPage["hits"]> {
  const shown = view.shownTerms(
    vocabulary.name,
    hits.map(({ id }) => id),
  );
  askedAll();
  const whatMatched = makeMatchFinder(typed, lang);
  return (await shown).flatMap((term, i) => {
    if (term === undefined) return [];
    const values = matchableValues(parseStoredTerm<TermContent>(term), vocabulary);
    return [{ ...term, matched: whatMatched(values, hits[i]!.step) }];
  });
}

/** Suggested terms. */
interface Suggested extends Pick<SuggestPage, "total" | "facets"> {
  readonly page: TermHits;
}

/**
 * Suggests the matching terms in the order of the steps. A replaced term is left out if its successor matches too.
 * @param visitedMax see `readRankedPage`
 */
async function suggest(
  state: VocabularyState,
  matched: TermCondition,
  steps: readonly StepCondition[],
  search: FacetedSuggest,
  visitedMax?: number,
): Promise<Suggested> {
  const filter = allConditions(search.facets.map(facetCondition));
  const read = async (condition: TermCondition): Promise<Suggested> => {
    const filtered = allConditions([condition, filter]);
    const [page, total, facets] = await Promise.all([
      readRankedPage(state, filtered, steps, search.page, visitedMax),
      countTerms(state, filtered),
      countTermFacets(state, condition, search.facets),
    ]);
    return { page, total, facets };
  };
  // Usually no replaced term matches, and one request is enough.
  const [all, replaced] = await Promise.all([read(matched), countReplaced(state, matched)]);
  const duplicates = await findDuplicates(state, matched, replaced);
  return duplicates.length === 0 ? all : read(allConditions([matched, notCondition(hasId(duplicates))]));
}
