import { hasRanges } from "../../../../core/catalog/facet-kinds/facet-kinds.js";
import type { Catalog, Vocabulary } from "../../../../core/catalog/types.js";
import type {
  FacetCounts,
  PageWindow,
  SearchIndex,
  SuggestPage,
  TermPage,
  TermSearch,
  TermSuggest,
} from "../../../../ports/search-index.js";
import type { NamedTerm, TermFinder } from "../../../../ports/store.js";
import { type CountedFacet, facetClause, makeFacetLookup } from "../../../../query/facets/declared-facets.js";
import { identifierTail } from "../../../../query/fields/identifiers.js";
import { SYNONYM_NAME, TITLE_NAME } from "../../../../query/index-model/term-document.js";
import { makeMatchFinder } from "../../../../query/ranking/matching-value.js";
import {
  bestMatchTermSteps,
  type StepColumns,
  TERM_STEPS,
  typedWordQuery,
  urlKeys,
  withTolerantSteps,
} from "../../../../query/ranking/term-steps.js";
import { EXACT_MATCHES_MIN, readTypedText } from "../../../../query/ranking/typed-words.js";
import {
  cardinality,
  type DocIdSet,
  EMPTY_SET,
  intersectMatches,
  MATCH_ALL,
  MATCH_NONE,
  type MatchSet,
  makeSortedSet,
  matchExactly,
  toIds,
  uniteMatches,
  uniteSets,
} from "../../bitmaps/doc-id-set.js";
import { HitNumbers } from "../../doc-values/numeric-column.js";
import { type CounterContext, countFacet, type FacetValuesSource } from "../../facets/count-facet.js";
import type { RankingStep } from "../../plan/ranked-page.js";
import { currentGeneration } from "../store/generation.js";
import { rowsById } from "../store/term-reader.js";
import { requireVocabulary } from "../store/term-writer.js";
import { childRows, descendantRows } from "./descendants.js";
import { facetColumn, facetNumberColumn, rowsWithKeys } from "./facet-column.js";
import { liveAmong } from "./live-docs.js";
import { matchClause } from "./match-clause.js";
import { phraseRows } from "./match-rows.js";
import { type RowPage, rankedTerms } from "./ranked-terms.js";
import { makeContext, type SearchContext, type TermSearchOptions } from "./search-context.js";
import { asSuggested, matchableValuesOf, shownTerms } from "./shown-terms.js";
import { type Order, sortedPage } from "./sorted-page.js";
import { stepRows, typoRows, withoutReplaced } from "./step-rows.js";
import { namedRows, nearestIds, urlRows } from "./term-lookups.js";

interface TermIndex
  extends Pick<SearchIndex, "searchTerms" | "suggestTerms">,
    Pick<TermFinder, "nearestIds" | "named"> {
  /** Returns those of the words that terms of a vocabulary have in their texts. */
  knownWords(vocabulary: string, words: readonly string[]): Promise<readonly string[]>;
}

/** Makes the searches for terms on a reading connection. */
export function makeTermIndex(catalog: Catalog, options: TermSearchOptions): TermIndex {
  const { db, runner } = options;
  const lookup = makeFacetLookup(catalog.vocabularies);
  const findFacets = ({ vocabulary, facets }: TermSearch | TermSuggest) => lookup([vocabulary], facets);
  const inVocabulary = async <T>(name: string, emptyResult: NoInfer<T>, work: (context: SearchContext) => T) => {
    const vocabulary = requireVocabulary(catalog, name);
    return runner.run(
      ({ build }) => {
        const generation = currentGeneration(db, name);
        return generation === undefined ? emptyResult : work(makeContext(vocabulary, generation, options, build));
      },
      () => "the query",
    );
  };
  return {
    searchTerms: async (search) =>
      inVocabulary(search.vocabulary, EMPTY, (context) =>
        searchTerms(context, { ...search, facets: findFacets(search) }),
      ),
    suggestTerms: async (search) =>
      inVocabulary(search.vocabulary, EMPTY, (context) => suggest(context, { ...search, facets: findFacets(search) })),
    knownWords: async (name, words) =>
      inVocabulary(name, [], (context) => words.filter((word) => hasWord(context, word))),
    nearestIds: async (name, id, limit) =>
      inVocabulary(name, [], (context) => {
        return rowsById(context.generation, nearestIds(context, id, limit)).map(({ ext }) => ext);
      }),
    named: async (name, keys, limit) => inVocabulary(name, [], (context) => findByName(context, keys, limit)),
  };
}

/** A step that takes all remaining rows. */
const REST: RankingStep = { number: TERM_STEPS.anywhere, take: (among) => among };

const EMPTY = { hits: [], total: 0, facets: [] };

/** Parameters that searches and suggestions have in common. */
interface CommonParameters {
  readonly parent?: string;
  readonly ancestor?: string;
  readonly facets: readonly CountedFacet[];
  readonly lang: string;
  readonly page: PageWindow;
}

function searchTerms(context: SearchContext, search: Omit<TermSearch, "facets"> & CommonParameters): TermPage {
  const { clause, url = [], sort } = search;
  const matched = narrowToLineage(
    context,
    uniteMatches(matchClause(context, clause), urlMatches(context, url)),
    search,
  );
  const rows = applyFacets(context, matched, search.facets);
  const page =
    sort === "bestmatch" || sort === "mostcited"
      ? rankedTerms(context, rows, stepsOf(context, search), search.page)
      : sortedPage(context, rows, listOrder(context.vocabulary, sort, search.lang), search.page);
  const query = { clause, url, parent: search.parent, ancestor: search.ancestor };
  return { ...countAndPage(context, matched, rows, search, query, page), hits: shownHits(context, page) };
}

function stepsOf(
  context: SearchContext,
  { clause, plain, url = [], sort }: Omit<TermSearch, "facets">,
): readonly RankingStep[] {
  if (sort === "mostcited") return [REST];
  return stepRows(context, bestMatchTermSteps(clause, plain && { words: plain, url }, context.vocabulary));
}

/** Returns the terms with a key of a typed URL. Words of the URL need not be in the term. */
function urlMatches(context: SearchContext, url: readonly string[]): MatchSet {
  return matchExactly(makeSortedSet(urlRows(context, urlKeys(url))));
}

function listOrder({ languages }: Vocabulary, sort: "newest" | "oldest" | "title", lang: string): Order {
  if (sort !== "title") return { by: sort };
  return { by: "title", lang: languages.includes(lang) ? lang : languages[0]! };
}

/**
 * Suggests terms for a typed text. If few terms match, words may also be prefixes, and then may have typos. A replaced
 * term is left out if its successor is suggested too.
 */
function suggest(context: SearchContext, search: CommonParameters & Pick<TermSuggest, "text">): SuggestPage {
  const typed = readTypedText(search.text);
  const url = identifierTail(search.text) ?? [];
  const exact = uniteMatches(matchClause(context, typed.clause), urlMatches(context, url));
  const best = bestMatchTermSteps(typed.clause, typedWordQuery(typed, url), context.vocabulary);
  const removeReplaced = (set: MatchSet): MatchSet => {
    return matchExactly(withoutReplaced(context, liveAmong(context, narrowToLineage(context, set, search))));
  };
  let allMatches = exact;
  let matched = removeReplaced(exact);
  let rows = applyFacets(context, matched, search.facets);
  const addMatches = (matches: MatchSet): void => {
    allMatches = uniteMatches(allMatches, matches);
    matched = removeReplaced(allMatches);
    rows = applyFacets(context, matched, search.facets);
  };
  const beginnings = cardinality(rows) < EXACT_MATCHES_MIN ? typed.beginnings?.clause : undefined;
  if (beginnings !== undefined) addMatches(matchClause(context, beginnings));
  const near = cardinality(rows) < EXACT_MATCHES_MIN ? typoRows(context, typed.words, "all") : undefined;
  if (near !== undefined) addMatches(matchExactly(near));
  const forgiven = { isNear: near !== undefined, beginnings };
  const nearIn = (columns: StepColumns): DocIdSet => typoRows(context, typed.words, columns) ?? EMPTY_SET;
  const steps = stepRows(context, withTolerantSteps(best, forgiven), { exact, near: nearIn });
  const page = rankedTerms(context, rows, steps, search.page);
  const whatMatched = makeMatchFinder(typed, search.lang);
  const hits = shownTerms(context, page.ids).map((shown, i) =>
    asSuggested(shown, whatMatched(matchableValuesOf(shown, context), page.steps?.[i] ?? 0)),
  );
  const query = { text: search.text, parent: search.parent, ancestor: search.ancestor };
  return { ...countAndPage(context, matched, rows, search, query, page), hits };
}

/** Keeps the rows below the requested parent or ancestor. */
function narrowToLineage(
  context: SearchContext,
  rows: MatchSet,
  { parent, ancestor }: Pick<CommonParameters, "parent" | "ancestor">,
): MatchSet {
  let narrowed = rows;
  if (parent !== undefined) narrowed = intersectMatches(narrowed, matchExactly(childRows(context, parent)));
  if (ancestor !== undefined) narrowed = intersectMatches(narrowed, matchExactly(descendantRows(context, ancestor)));
  return narrowed;
}

/** Returns the live rows that pass the filters of all facets. */
function applyFacets(context: SearchContext, rows: MatchSet, facets: readonly CountedFacet[]): DocIdSet {
  const filters = facets.map((facet) => facetFilter(context, facet) ?? MATCH_ALL);
  return liveAmong(context, filters.reduce(intersectMatches, rows));
}

/**
 * Returns the total, the counts of facets, and the key of the next page. Counts are cached.
 * @param query the parameters that the matched rows depend on
 */
function countAndPage(
  context: SearchContext,
  matched: MatchSet,
  rows: DocIdSet,
  { facets }: CommonParameters,
  query: object,
  { next }: RowPage,
): Pick<TermPage, "total" | "facets" | "next"> {
  const { generation } = context;
  if (facets.length === 0) return { total: cardinality(rows), facets: [], next };
  const counts = context.counts.get(["terms", generation.g, query, facets], `${generation.writes}`, () => ({
    total: cardinality(rows),
    facets: countTermFacets(context, matched, facets, context),
  }));
  return { ...counts, next };
}

function shownHits(context: SearchContext, { ids }: RowPage): TermPage["hits"] {
  return shownTerms(context, ids).map(({ term }) => term);
}

function hasWord(context: SearchContext, word: string): boolean {
  return cardinality(phraseRows(context, { table: "term_fts", tokens: [word], isPrefix: false, columns: "all" })) > 0;
}

/** Returns the terms with one of the names, in the order of the keys, and for each the best `limit` terms. */
function findByName(context: SearchContext, keys: readonly string[], limit: number): NamedTerm[] {
  return keys.flatMap((key) => {
    const rows = [TITLE_NAME, SYNONYM_NAME]
      .map((kind) => makeSortedSet(namedRows(context, key, kind)))
      .reduce(uniteSets);
    if (cardinality(rows) === 0) return [];
    context.checkTime();
    const live = liveAmong(context, matchExactly(rows));
    const ids = cardinality(live) < 2 ? [...toIds(live)] : rankedTerms(context, live, [REST], { offset: 0, limit }).ids;
    return shownTerms(context, ids).map(({ term }) => ({ key, term }));
  });
}

/** Returns the rows that have a selected value of a facet; undefined if nothing is selected. */
function facetFilter(context: SearchContext, facet: CountedFacet): MatchSet | undefined {
  const { buckets, paths, selected } = facet;
  if (selected.length === 0) return undefined;
  if (hasRanges(buckets)) {
    const clause = facetClause(buckets, paths, selected);
    return clause && matchClause(context, clause);
  }
  return matchExactly(rowsWithKeys(context, { paths, buckets }, selected));
}

/** Counts each facet over the rows that pass the filters of all other facets. */
function countTermFacets(
  context: SearchContext,
  rows: MatchSet,
  facets: readonly CountedFacet[],
  counters: CounterContext,
): FacetCounts[] {
  const filters = facets.map((facet) => facetFilter(context, facet));
  return facets.flatMap((facet, i) => {
    if (facet.size === 0) return [];
    const otherFilters = filters.filter((filter, j) => j !== i && filter !== undefined) as MatchSet[];
    const countedRows = liveAmong(context, otherFilters.reduce(intersectMatches, rows));
    const source: FacetValuesSource = {
      columns: (buckets) => ({
        columns: [facetColumn(context, { ...facet, buckets })],
        owners: `terms ${context.generation.g}`,
      }),
      numbers: () =>
        new HitNumbers(
          facet.paths.map((path) => facetNumberColumn(context, path)),
          countedRows,
        ),
      countRange: (key) => {
        const inRange = facetFilter(context, { ...facet, selected: [key] }) ?? MATCH_NONE;
        return cardinality(liveAmong(context, intersectMatches(matchExactly(countedRows), inRange)));
      },
    };
    return [countFacet(facet, countedRows, source, counters)];
  });
}
