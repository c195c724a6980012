import type { Catalog, Vocabulary } from "../../../../core/catalog/types.js";
import type {
  Page,
  SearchIndex,
  SuggestPage,
  TermPage,
  TermSearch,
  TermSuggest,
} from "../../../../ports/search-index.js";
import type { NamedTerm, TermFinder } from "../../../../ports/store.js";
import { identifierTail } from "../../../../query/fields/pasted-identifiers.js";
import { type CountedFacet, makeFacetLookup } from "../../../../query/index-model/declared-facets.js";
import { SYNONYM, TITLE } from "../../../../query/index-model/term-keys.js";
import {
  askedBy,
  bestSteps,
  STEPS,
  type StepColumns,
  urlKeys,
  withForgiven,
} from "../../../../query/ranking/term-steps.js";
import { readTyped } from "../../../../query/ranking/typed-words.js";
import { FORGIVEN_BELOW } from "../../../../query/ranking/typos.js";
import { makeWhatMatched } from "../../../../query/ranking/what-matched.js";
import {
  cardinality,
  type DocIdSet,
  EMPTY_SET,
  intersect,
  MATCH_ALL,
  type MatchSet,
  matching,
  or,
  setOfSorted,
  toIds,
  union,
} from "../../bitmaps/doc-id-set.js";
import { makeCountCache } from "../../facets/count-facet.js";
import type { Step } from "../../plan/ranked-page.js";
import { currentGeneration } from "../store/generation.js";
import { rowsById } from "../store/term-reader.js";
import { requireVocabulary } from "../store/term-writer.js";
import { childRows, descendantRows } from "./descendants.js";
import { liveAmong } from "./live-docs.js";
import { matchClause } from "./match-clause.js";
import { nearestIds } from "./nearest-terms.js";
import { type RowPage, rankedTerms } from "./ranked-terms.js";
import { makeContext, type SearchContext, type TermSearchOptions } from "./search-context.js";
import { asSuggested, shownTerms, valuesOf } from "./shown-terms.js";
import { type Order, sortedPage } from "./sorted-page.js";
import { namedRows, stepRows, urlRows } from "./step-rows.js";
import { countTermFacets, facetFilter } from "./term-facets.js";
import { typoRows } from "./typo-rows.js";
import { withoutReplaced } from "./without-replaced.js";

type TermIndex = Pick<SearchIndex, "searchTerms" | "suggestTerms"> & Pick<TermFinder, "nearestIds" | "named">;

export function makeTermIndex(catalog: Catalog, options: TermSearchOptions): TermIndex {
  const { db, slowParts } = options;
  const shared = { ...options, counts: makeCountCache() };
  const lookup = makeFacetLookup(catalog.vocabularies);
  const facetsOf = ({ vocabulary, facets }: TermSearch | TermSuggest) => lookup([vocabulary], facets);
  const inVocabulary = async <T>(name: string, without: NoInfer<T>, work: (context: SearchContext) => T) => {
    const vocabulary = requireVocabulary(catalog, name);
    return slowParts.run(
      (slowly) => {
        const generation = currentGeneration(db, name);
        return generation === undefined ? without : work(makeContext(vocabulary, generation, shared, slowly));
      },
      () => "the query",
    );
  };
  return {
    searchTerms: async (search) =>
      inVocabulary(search.vocabulary, EMPTY, (context) =>
        searchTerms(context, { ...search, facets: facetsOf(search) }),
      ),
    suggestTerms: async (search) =>
      inVocabulary(search.vocabulary, EMPTY, (context) => suggest(context, { ...search, facets: facetsOf(search) })),
    nearestIds: async (name, id, limit) =>
      inVocabulary(name, [], (context) => {
        return rowsById(context.generation, nearestIds(context, id, limit)).map(({ ext }) => ext);
      }),
    named: async (name, keys, limit) => inVocabulary(name, [], (context) => withNames(context, keys, limit)),
  };
}

/** A step that takes whatever is left. */
const REST: Step = { number: STEPS.anywhere, take: (among) => among };

const EMPTY = { hits: [], total: 0, facets: [] };

interface Asked {
  readonly parent?: string;
  readonly ancestor?: string;
  readonly facets: readonly CountedFacet[];
  readonly lang: string;
  readonly page: Page;
}

function searchTerms(context: SearchContext, search: Omit<TermSearch, "facets"> & Asked): TermPage {
  const { clause, url = [], sort } = search;
  const matched = narrow(context, union(matchClause(context, clause), byUrl(context, url)), search);
  const rows = filtered(context, matched, search.facets);
  const page =
    sort === "bestmatch"
      ? rankedTerms(context, rows, stepsOf(context, search), search.page)
      : sortedPage(context, rows, orderOf(context.vocabulary, sort, search.lang), search.page);
  const counted = { clause, url, parent: search.parent, ancestor: search.ancestor };
  return { ...answer(context, matched, rows, search, counted, page), hits: hitsOf(context, page) };
}

function stepsOf(context: SearchContext, { clause, plain, url = [] }: Omit<TermSearch, "facets">): readonly Step[] {
  return stepRows(context, bestSteps(clause, plain && { words: plain, url }, context.vocabulary));
}

/** The items that the words are a URL of: it holds words that the item does not. */
function byUrl(context: SearchContext, url: readonly string[]): MatchSet {
  return matching(setOfSorted(urlRows(context, urlKeys(url))));
}

function orderOf({ languages }: Vocabulary, sort: "newest" | "oldest" | "title", lang: string): Order {
  if (sort !== "title") return { by: sort };
  return { by: "title", lang: languages.includes(lang) ? lang : languages[0]! };
}

function suggest(context: SearchContext, search: Asked & Pick<TermSuggest, "text">): SuggestPage {
  const typed = readTyped(search.text);
  const url = identifierTail(search.text) ?? [];
  const exact = union(matchClause(context, typed.clause), byUrl(context, url));
  const best = bestSteps(typed.clause, askedBy(typed, url), context.vocabulary);
  const once = (set: MatchSet): MatchSet => {
    return matching(withoutReplaced(context, liveAmong(context, narrow(context, set, search))));
  };
  let [all, matched] = [exact, once(exact)];
  let rows = filtered(context, matched, search.facets);
  const add = (more: MatchSet): void => {
    all = union(all, more);
    matched = once(all);
    rows = filtered(context, matched, search.facets);
  };
  const beginnings = cardinality(rows) < FORGIVEN_BELOW ? typed.beginnings?.clause : undefined;
  if (beginnings !== undefined) add(matchClause(context, beginnings));
  const near = cardinality(rows) < FORGIVEN_BELOW ? typoRows(context, typed.words, "all") : undefined;
  if (near !== undefined) add(matching(near));
  const forgiven = { isNear: near !== undefined, ...(beginnings === undefined ? {} : { beginnings }) };
  const nearIn = (columns: StepColumns): DocIdSet => typoRows(context, typed.words, columns) ?? EMPTY_SET;
  const steps = stepRows(context, withForgiven(best, forgiven), { exact, near: nearIn });
  const page = rankedTerms(context, rows, steps, search.page);
  const whatMatched = makeWhatMatched(typed, search.lang);
  const hits = shownTerms(context, page.ids).map((shown, i) =>
    asSuggested(shown, whatMatched(valuesOf(shown, context), page.steps?.[i] ?? 0)),
  );
  const counted = { text: search.text, parent: search.parent, ancestor: search.ancestor };
  return { ...answer(context, matched, rows, search, counted, page), hits };
}

/** Only what lies below the item that is asked for. */
function narrow(
  context: SearchContext,
  rows: MatchSet,
  { parent, ancestor }: Pick<Asked, "parent" | "ancestor">,
): MatchSet {
  let narrowed = rows;
  if (parent !== undefined) narrowed = intersect(narrowed, matching(childRows(context, parent)));
  if (ancestor !== undefined) narrowed = intersect(narrowed, matching(descendantRows(context, ancestor)));
  return narrowed;
}

function filtered(context: SearchContext, rows: MatchSet, facets: readonly CountedFacet[]): DocIdSet {
  const filters = facets.map((facet) => facetFilter(context, facet) ?? MATCH_ALL);
  return liveAmong(context, filters.reduce(intersect, rows));
}

/** @param counted what the matched rows depend on */
function answer(
  context: SearchContext,
  matched: MatchSet,
  rows: DocIdSet,
  { facets }: Asked,
  counted: object,
  { next }: RowPage,
): Pick<TermPage, "total" | "facets" | "next"> {
  const { generation } = context;
  const following = next === undefined ? {} : { next };
  if (facets.length === 0) return { total: cardinality(rows), facets: [], ...following };
  const counts = context.counts.get([generation.g, counted, facets], `${generation.writes}`, () => ({
    total: cardinality(rows),
    facets: countTermFacets(context, matched, facets, context),
  }));
  return { ...counts, ...following };
}

function hitsOf(context: SearchContext, { ids }: RowPage): TermPage["hits"] {
  return shownTerms(context, ids).map(({ term }) => term);
}

function withNames(context: SearchContext, keys: readonly string[], limit: number): NamedTerm[] {
  return keys.flatMap((key) => {
    const rows = [TITLE, SYNONYM].map((kind) => setOfSorted(namedRows(context, key, kind))).reduce(or);
    if (cardinality(rows) === 0) return [];
    context.checkTime();
    const live = liveAmong(context, matching(rows));
    const ids = cardinality(live) < 2 ? [...toIds(live)] : rankedTerms(context, live, [REST], { offset: 0, limit }).ids;
    return shownTerms(context, ids).map(({ term }) => ({ key, term }));
  });
}
