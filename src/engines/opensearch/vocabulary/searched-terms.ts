import type { TermPage, TermSearch } from "../../../ports/search-index.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { bestSteps } from "../../../query/ranking/term-steps.js";
import { askPage, identifyingKey, narrowTest, readBelow } from "./ask-page.js";
import type { TermPlace } from "./asked-place.js";
import { allTests, anyTest, type DocumentTest } from "./document-test.js";
import { countTermFacets, facetTest } from "./term-facets.js";
import { type AskedPage, rankedPage, sortedPage } from "./term-pages.js";
import { clauseTest } from "./test-clause.js";
import { type StepPlace, testSteps, urlTest } from "./test-steps.js";

/** What is asked for, with facets as the vocabulary declares them. */
type AskedTerms = Omit<TermSearch, "facets"> & { readonly facets: readonly CountedFacet[] };

/** See `SearchIndex.searchTerms`. */
export async function searchTerms(place: TermPlace, search: AskedTerms): Promise<TermPage> {
  const { clause, url = [], facets } = search;
  const [below, urlKey] = await Promise.all([readBelow(place, clause), identifyingKey(place, url)]);
  const steps: StepPlace = { vocabulary: place.vocabulary.name, below, ...(urlKey === undefined ? {} : { urlKey }) };
  const found = anyTest([clauseTest(clause, "all", steps), urlTest(urlKey)]);
  const matched = allTests([found, await narrowTest(place, search)]);
  const filtered = allTests([matched, ...facets.map(facetTest)]);
  const [{ total, hits, next }, counts] = await Promise.all([
    askPage(place, filtered, pageOf(place, search, filtered, steps)),
    countTermFacets(place, matched, facets),
  ]);
  const shown = place.view.shownTerms(
    place.vocabulary.name,
    hits.map(({ id }) => id),
  );
  place.askedAll();
  return {
    hits: (await shown).flatMap((term) => term ?? []),
    ...{ total, facets: counts },
    ...(next === undefined ? {} : { next }),
  };
}

function pageOf(place: TermPlace, search: AskedTerms, filtered: DocumentTest, steps: StepPlace): AskedPage {
  const { clause, plain, url = [], sort, lang, page } = search;
  const { languages } = place.vocabulary;
  if (sort !== "bestmatch") {
    return sortedPage(place, filtered, { sort, lang: languages.includes(lang) ? lang : languages[0]! }, page);
  }
  const best = bestSteps(clause, plain && { words: plain, url }, place.vocabulary);
  return rankedPage(place, filtered, testSteps(best, steps), page);
}
