import type { TermContent } from "../../../core/term.js";
import { storedItem } from "../../../core/terms/term-row.js";
import type { SuggestPage, TermSuggest } from "../../../ports/search-index.js";
import { identifierTail } from "../../../query/fields/pasted-identifiers.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { askedBy, begunSteps, bestSteps, NEAR_STEPS } from "../../../query/ranking/term-steps.js";
import { readTyped, type Typed } from "../../../query/ranking/typed-words.js";
import { FORGIVEN_BELOW, mayHaveTypos } from "../../../query/ranking/typos.js";
import { makeWhatMatched, matchableValues } from "../../../query/ranking/what-matched.js";
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
  const typed = readTyped(search.text);
  const { matched, total, page } = await offerFor(place, search, typed);
  const [facets, hits] = await Promise.all([
    countAndEnd(place, matched, search.facets),
    shownHits(place, page.hits, typed, search.lang),
  ]);
  return { hits, ...{ total, facets }, ...(page.next === undefined ? {} : { next: page.next }) };
}

/** What matches truly; where that is little, also what is forgiven, one thing after the other. */
async function offerFor(place: TermPlace, search: AskedSuggestions, typed: Typed): Promise<Offered> {
  const url = identifierTail(search.text) ?? [];
  const [urlKey, narrow] = await Promise.all([identifyingKey(place, url), narrowTest(place, search)]);
  const offering: Offering = { narrow, filter: allTests(search.facets.map(facetTest)), page: search.page };
  const steps: StepPlace = {
    ...{ vocabulary: place.vocabulary.name, below: () => NEVER, typed: typed.words },
    ...(urlKey === undefined ? {} : { urlKey }),
  };
  const exact = anyTest([clauseTest(typed.clause, "all", steps), urlTest(urlKey)]);
  const best = testSteps(bestSteps(typed.clause, askedBy(typed, url), place.vocabulary), steps);
  const offered = await offerExact(place, exact, best, offering);
  if (offered.total >= FORGIVEN_BELOW) return offered;

  const { beginnings } = typed;
  const forgiven = [
    ...(beginnings === undefined ? [] : [testSteps(begunSteps(beginnings.clause), steps)]),
    ...(mayHaveTypos(typed.words) ? [testSteps(NEAR_STEPS, steps)] : []),
  ];
  let few = await readFew(place, offered, best, offering.filter);
  for (const more of forgiven) {
    if (few.total < FORGIVEN_BELOW) few = await offerForgiven(place, few, more, offering);
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
  typed: Typed,
  lang: string,
): Promise<SuggestPage["hits"]> {
  const shown = await view.shownTerms(
    vocabulary.name,
    hits.map(({ id }) => id),
  );
  const whatMatched = makeWhatMatched(typed, lang);
  return shown.flatMap((term, i) => {
    if (term === undefined) return [];
    const values = matchableValues(storedItem<TermContent>(term), vocabulary);
    return [{ ...term, matched: whatMatched(values, hits[i]!.step) }];
  });
}
