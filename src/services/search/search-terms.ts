import type { Actor } from "../../core/actor.js";
import type { Vocabulary } from "../../core/catalog/types.js";
import type { Warning } from "../../core/issue.js";
import type { SearchIndex, SuggestPage, TermPage, TermSearch } from "../../ports/search-index.js";
import { type FieldLookup, termFields } from "../../query/fields/field-lookup.js";
import { identifierTail } from "../../query/fields/identifiers.js";
import { andClauses, EVERYTHING, notClause } from "../../query/index-model/clause.js";
import { IS_UNCONFIRMED } from "../../query/index-model/term-leaves.js";
import type { SearchAnswer, TermHit, TermSearchRequest } from "../api/searches.js";
import { findVocabulary } from "../context/find-model.js";
import { makeRequestIndex } from "../context/index-availability.js";
import { type Thread, useCase } from "../context/use-case.js";
import {
  isFirstPage,
  limitTermPageSize,
  makeCursors,
  nextCursor,
  requestedPage,
  requireSort,
} from "../input/search-window.js";
import { describeQuery } from "./did-you-mean.js";
import {
  facetRequests,
  listMatchingBuckets,
  makeTermFacets,
  type SearchedFacet,
  shownFacets,
  valueRequests,
} from "./facets.js";
import { type PreparedQuery, readQuery } from "./read-query.js";
import { warnUnknownValues } from "./selected-values.js";
import { MarkingTime, makeTermHighlighter } from "./shown-hits.js";

const SORTS = ["newest", "title", "oldest", "bestmatch", "mostcited"] as const;

/** Maximum page size that the HTTP thread answers; larger pages take too long. */
const PLAIN_PAGE_MAX = 100;

/** Maximum page size that the search thread answers; larger pages take longer than any search. */
const SEARCH_PAGE_MAX = 1_000;

/** Returns the thread of a search for terms: pages of a vocabulary in its own order are quick. */
export function threadOfTerms({ q, suggest, filters, facetSize, ...request }: TermSearchRequest): Thread {
  const { ancestor, confirmed, window } = request;
  if (window.size > SEARCH_PAGE_MAX) return "loader";
  const isFiltered = Object.keys(filters).length > 0 || ancestor !== undefined || confirmed !== undefined;
  const isPlain = !q?.trim() && !suggest?.trim() && !isFiltered;
  return isPlain && facetSize === 0 && window.size <= PLAIN_PAGE_MAX ? "http" : "search";
}

/** Searches the terms of a vocabulary; also suggests terms while a person types. */
export const searchTerms = useCase(
  { thread: (_actor: Actor, request: TermSearchRequest) => threadOfTerms(request) },
  (deps) => {
    const { store, catalog, clock, findNearTerms, searchTimeoutMs } = deps;
    const getFields = cacheFields();
    const getFacets = makeTermFacets(catalog);
    const highlightTerms = makeTermHighlighter(deps);
    const readCursors = makeCursors(store);
    return async (_actor: Actor, request: TermSearchRequest): Promise<SearchAnswer<TermHit>> => {
      const vocabulary = findVocabulary(catalog, request.vocabulary);
      const index = makeRequestIndex(deps.index, request.mayBeBehind);
      const fields = getFields(vocabulary);
      const read = readQuery(request, fields, clock);
      const suggests = read.isTyped && !read.isEmpty;
      const standard = read.isEmpty ? "title" : "bestmatch";
      const requestedSort = requireSort(request.sort, SORTS, standard);
      const sort = suggests || (read.isEmpty && requestedSort === "bestmatch") ? standard : requestedSort;

      const lang = languageOf(vocabulary, request.lang);
      const { size, warnings } = limitTermPageSize(request.window.size);
      const order = `${vocabulary.name} ${suggests ? "suggest" : sort} ${lang}`;
      const cursors = await readCursors();
      const facets = getFacets(vocabulary.name);
      const filters = {
        ...hierarchyFilters(vocabulary, request),
        facets: facetRequests(facets, { ...request, facetSize: 0 }),
      };
      const common = {
        vocabulary: vocabulary.name,
        ...filters,
        facets: facetRequests(facets, request, await listMatchingBuckets(index, facets, request)),
        lang,
        page: requestedPage(request.window, size, order, cursors),
      };
      const time = new MarkingTime(searchTimeoutMs);
      const page: TermPage | SuggestPage = suggests
        ? await index.suggestTerms({ ...common, text: request.suggest?.trim() ?? "" })
        : await index.searchTerms({ ...common, ...searchedClause(read, request), sort });
      const shown = await shownFacets(store.terms, facets, page.facets, request);
      const described = await describeQuery(deps, read, page.total, {
        fields,
        where: { in: "terms", vocabulary: vocabulary.name },
        isFirstPage: isFirstPage(request.window),
        hasFilters: Object.keys(filters).length > 1 || filters.facets.length > 0,
        findOne: async (clause, isFiltered) => {
          const search = { vocabulary: vocabulary.name, clause, ...(isFiltered ? filters : { facets: [] }) };
          const first = await index.searchTerms({ ...search, sort: "title", lang, page: { offset: 0, limit: 1 } });
          return first.hits[0]?.json;
        },
        count: (clauses) => index.countTerms({ vocabulary: vocabulary.name, ...filters, lang }, clauses),
        countsTogether: index.countsTogether,
      });
      const facetValues = (facet: SearchedFacet, count: number): Promise<readonly string[]> =>
        listValues(index, { vocabulary: vocabulary.name, facet, count, lang });
      const lookups = { terms: store.terms, findNearTerms, facetValues };
      const unknown = await warnUnknownValues(lookups, facets, page, request);
      const marked = await highlightTerms(page.hits, vocabulary, { ...request, clause: read.clause }, time);
      const ignoredWarnings = warnIgnoredParameters(vocabulary, request, requestedSort, suggests);
      return {
        hits: marked.hits,
        total: page.total,
        size,
        sortBy: sort,
        ...shown,
        query: described.query,
        ...nextCursor(page.next, request.window, size, (key) => cursors.encode(order, key)),
        warnings: [...read.warnings, ...unknown.warnings, ...warnings, ...ignoredWarnings, ...marked.warnings],
        ...index.answerFlags(described.isUnsettled || unknown.isUnsettled || marked.warnings.length > 0),
      };
    };
  },
);

/** Returns up to `count` values that a facet has in the whole vocabulary. */
async function listValues(
  index: Pick<SearchIndex, "searchTerms">,
  {
    vocabulary,
    facet,
    count,
    lang,
  }: { readonly vocabulary: string; readonly facet: SearchedFacet; readonly count: number; readonly lang: string },
): Promise<readonly string[]> {
  const all = { vocabulary, clause: EVERYTHING, page: { offset: 0, limit: 0 } };
  const counted = await index.searchTerms({ ...all, facets: valueRequests(facet, count), sort: "title", lang });
  return (counted.facets[0]?.buckets ?? []).map(({ key }) => key);
}

/** Makes a function that returns the field names of queries; computed once for each vocabulary. */
function cacheFields(): (vocabulary: Vocabulary) => FieldLookup {
  const fieldsByVocabulary = new Map<string, FieldLookup>();
  return (vocabulary) => {
    const fields = fieldsByVocabulary.get(vocabulary.name) ?? termFields(vocabulary);
    fieldsByVocabulary.set(vocabulary.name, fields);
    return fields;
  };
}

/** Returns the language of titles: the requested one, else English, else the first declared one. */
function languageOf({ languages }: Vocabulary, requested: string): string {
  const choices = [requested, "en"];
  return choices.find((lang) => languages.includes(lang)) ?? languages[0]!;
}

/** Returns the clause of a search, and what ranks its hits. */
function searchedClause(
  { clause, plain }: PreparedQuery,
  { q = "", confirmed }: TermSearchRequest,
): Pick<TermSearch, "clause" | "plain" | "url"> {
  // Few terms are unconfirmed, so ranking by plain words is not worth its cost.
  if (confirmed !== undefined)
    return { clause: andClauses([clause, confirmed ? notClause(IS_UNCONFIRMED) : IS_UNCONFIRMED]) };
  const url = plain && identifierTail(q);
  return { clause, plain, url };
}

function hierarchyFilters({ hierarchy }: Vocabulary, { parent, ancestor }: TermSearchRequest): Record<string, string> {
  if (!hierarchy) return {};
  return { ...(parent === undefined ? {} : { parent }), ...(ancestor === undefined ? {} : { ancestor }) };
}

/** Warns of parameters that this search ignores. */
function warnIgnoredParameters(
  vocabulary: Vocabulary,
  request: TermSearchRequest,
  sort: string,
  suggests: boolean,
): Warning[] {
  const warnings: Warning[] = [];
  for (const parameter of ["parent", "ancestor"] as const) {
    if (vocabulary.hierarchy || request[parameter] === undefined) continue;
    const message = `${vocabulary.name} has no hierarchy; ${parameter} was ignored.`;
    warnings.push({ code: "PARAMETER_IGNORED", message, parameter });
  }
  if (suggests && sort !== "bestmatch") {
    const message = "Suggestions have a fixed order; sort was ignored.";
    warnings.push({ code: "PARAMETER_IGNORED", message, parameter: "sort" });
  }
  return warnings;
}
