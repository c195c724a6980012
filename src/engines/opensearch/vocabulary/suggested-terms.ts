import type { TermContent } from "../../../core/term.js";
import type { SuggestPage, TermSuggest } from "../../../ports/search-index.js";
import { urlTail } from "../../../query/fields/identifier-forms.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { askedBy, bestSteps, type TermStep, withForgiven } from "../../../query/ranking/term-steps.js";
import { readTyped, type Typed } from "../../../query/ranking/typed-words.js";
import { FORGIVEN_BELOW, mayHaveTypos } from "../../../query/ranking/typos.js";
import { makeWhatMatched, matchableValues } from "../../../query/ranking/what-matched.js";
import { askOffered, identifyingKey, narrowTest, type Offered } from "./ask-page.js";
import type { TermPlace } from "./asked-place.js";
import { allTests, anyTest, type DocumentTest } from "./document-test.js";
import { countTermFacets } from "./term-facets.js";
import type { TermHits } from "./term-pages.js";
import { type ClausePlace, clauseTest } from "./test-clause.js";
import { nearTest, testSteps, urlTest } from "./test-steps.js";

/** What is asked for, with facets as the vocabulary declares them. */
export type AskedSuggestions = Omit<TermSuggest, "facets"> & { readonly facets: readonly CountedFacet[] };

/** See `SearchIndex.suggestTerms`. */
export async function suggestTerms(place: TermPlace, search: AskedSuggestions): Promise<SuggestPage> {
  const typed = readTyped(search.text);
  const { matched, total, hits } = await offerFor(place, search, typed);
  const [facets, shown] = await Promise.all([
    countTermFacets(place, matched, search.facets),
    shownHits(place, hits, typed, search.lang),
  ]);
  return { hits: shown, ...{ total, facets }, ...(hits.next === undefined ? {} : { next: hits.next }) };
}

/** What matches truly; where that is little, also what is forgiven, one thing after the other. */
async function offerFor(place: TermPlace, search: AskedSuggestions, typed: Typed): Promise<Offered> {
  const { vocabulary } = place;
  const url = urlTail(search.text) ?? [];
  const [urlKey, narrow] = await Promise.all([identifyingKey(place, url), narrowTest(place, search)]);
  const clauses: ClausePlace = { vocabulary: vocabulary.name, below: () => [] };
  const exact = anyTest([clauseTest(typed.clause, "all", clauses), urlTest(urlKey)]);
  const steps = { ...clauses, exact, typed: typed.words, ...(urlKey === undefined ? {} : { urlKey }) };
  const offer = (all: DocumentTest, ranking: readonly TermStep[]): Promise<Offered> =>
    askOffered(place, allTests([all, narrow]), testSteps(ranking, steps), search);

  const best = bestSteps(typed.clause, askedBy(typed, url), vocabulary);
  let offered = await offer(exact, best);
  const begun = offered.total < FORGIVEN_BELOW ? typed.beginnings?.clause : undefined;
  const forgiven = begun === undefined ? {} : { beginnings: begun };
  const all = begun === undefined ? exact : anyTest([exact, clauseTest(begun, "all", clauses)]);
  if (begun !== undefined) offered = await offer(all, withForgiven(best, { ...forgiven, isNear: false }));
  if (offered.total >= FORGIVEN_BELOW || !mayHaveTypos(typed.words)) return offered;
  return offer(anyTest([all, nearTest(typed.words, "all")]), withForgiven(best, { ...forgiven, isNear: true }));
}

async function shownHits(
  { view, vocabulary }: TermPlace,
  { ids, steps }: TermHits,
  typed: Typed,
  lang: string,
): Promise<SuggestPage["hits"]> {
  const shown = await view.shownTerms(vocabulary.name, ids);
  const whatMatched = makeWhatMatched(typed, lang);
  return shown.flatMap((term, i) => {
    if (term === undefined) return [];
    const values = matchableValues(JSON.parse(term.json) as TermContent, vocabulary);
    return [{ ...term, matched: whatMatched(values, steps[i]!) }];
  });
}
