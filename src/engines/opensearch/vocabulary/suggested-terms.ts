import type { TermContent } from "../../../core/term.js";
import { storedItem } from "../../../core/terms/term-row.js";
import type { SuggestPage, TermSuggest } from "../../../ports/search-index.js";
import { identifierTail } from "../../../query/fields/identifiers.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { makeMatchFinder, matchableValues } from "../../../query/ranking/matching-value.js";
import { bestSteps, NEAR_STEPS, prefixSteps, typedWordQuery } from "../../../query/ranking/term-steps.js";
import { EXACT_MATCHES_MIN, mayHaveTypos, readTypedText, type TypedText } from "../../../query/ranking/typed-words.js";
import { identifyingKey, narrowTest } from "./ask-page.js";
import type { TermPlace } from "./asked-place.js";
import { allTests, anyTest, type DocumentTest, NEVER } from "./document-test.js";
import { type Offered, type Offering, offerExact, offerForgiven, readFew } from "./offered-terms.js";
import { countTermFacets, facetTest } from "./term-facets.js";
import type { Hit } from "./term-pages.js";
import { clauseTest } from "./test-clause.js";
import { type StepPlace, testSteps, urlTest } from "./test-steps.js";

/** What is asked for, with facets as the vocabulary declares them. */
type AskedSuggestions = Omit<TermSuggest, "facets"> & { readonly facets: readonly CountedFacet[] };

/** See `SearchIndex.suggestTerms`. */
export async function suggestTerms(place: TermPlace, search: AskedSuggestions): Promise<SuggestPage> {
  const typed = readTypedText(search.text);
  const { matched, total, page } = await offerFor(place, search, typed);
  const [facets, hits] = await Promise.all([
    countAndEnd(place, matched, search.facets),
    shownHits(place, page.hits, typed, search.lang),
  ]);
  return { hits, ...{ total, facets }, ...(page.next === undefined ? {} : { next: page.next }) };
}

/** What matches truly; where that is little, also what is forgiven, one thing after the other. */
async function offerFor(place: TermPlace, search: AskedSuggestions, typed: TypedText): Promise<Offered> {
  const url = identifierTail(search.text) ?? [];
  const [urlKey, narrow] = await Promise.all([identifyingKey(place, url), narrowTest(place, search)]);
  const offering: Offering = { narrow, filter: allTests(search.facets.map(facetTest)), page: search.page };
  const steps: StepPlace = {
    ...{ vocabulary: place.vocabulary.name, below: () => NEVER, typed: typed.words },
    ...(urlKey === undefined ? {} : { urlKey }),
  };
  const exact = anyTest([clauseTest(typed.clause, "all", steps), urlTest(urlKey)]);
  const best = testSteps(bestSteps(typed.clause, typedWordQuery(typed, url), place.vocabulary), steps);
  const offered = await offerExact(place, exact, best, offering);
  if (offered.total >= EXACT_MATCHES_MIN) return offered;

  const { beginnings } = typed;
  const forgiven = [
    ...(beginnings === undefined ? [] : [testSteps(prefixSteps(beginnings.clause), steps)]),
    ...(mayHaveTypos(typed.words) ? [testSteps(NEAR_STEPS, steps)] : []),
  ];
  let few = await readFew(place, offered, best, offering.filter);
  for (const more of forgiven) {
    if (few.total < EXACT_MATCHES_MIN) few = await offerForgiven(place, few, more, offering);
  }
  return few;
}

/** Counts facets, which is the last thing that the index is asked; what is shown was asked for meanwhile. */
async function countAndEnd(
  place: TermPlace,
  matched: DocumentTest,
  facets: readonly CountedFacet[],
): Promise<SuggestPage["facets"]> {
  const counts = await countTermFacets(place, matched, facets);
  place.askedAll();
  return counts;
}

async function shownHits(
  { view, vocabulary }: TermPlace,
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
    const values = matchableValues(storedItem<TermContent>(term), vocabulary);
    return [{ ...term, matched: whatMatched(values, hits[i]!.step) }];
  });
}
