import { addAll } from "../../../core/collections.js";
import { LIMITS } from "../../../core/limits.js";
import type { TermContent } from "../../../core/term.js";
import { lastSuccessor } from "../../../core/terms/follow-id.js";
import { parseStoredTerm } from "../../../core/terms/term-row.js";
import type { SuggestPage, TermSuggest } from "../../../ports/search-index.js";
import type { CountedFacet } from "../../../query/facets/declared-facets.js";
import { identifierTail } from "../../../query/fields/identifiers.js";
import { makeMatchFinder, matchableValues } from "../../../query/ranking/matching-value.js";
import {
  bestMatchTermSteps,
  NEAR_STEPS,
  type Tolerance,
  typedWordQuery,
  withTolerantSteps,
} from "../../../query/ranking/term-steps.js";
import { EXACT_MATCHES_MIN, mayHaveTypos, readTypedText, type TypedText } from "../../../query/ranking/typed-words.js";
import type { IndexSearch } from "../connection/combine-searches.js";
import { hasTooManyClauses } from "../connection/map-error.js";
import { NOTHING_QUERY } from "../query/dsl.js";
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
import { type MatchedTerm, readRankedPage, type TermHits } from "./term-pages.js";
import {
  changedMatches,
  countTerms,
  findUrlKey,
  lineageCondition,
  unchangedQuery,
  type VocabularyState,
} from "./vocabulary-state.js";

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
  const best = bestMatchTermSteps(typed.clause, typedWordQuery(typed, url), state.vocabulary);
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
  hits: readonly MatchedTerm[],
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

/** Number of replaced terms that are read at once. */
const BATCH_SIZE = LIMITS.pageWindowMax;

/** The condition of terms with a successor. */
const IS_REPLACED: TermCondition = {
  query: { exists: { field: "successor" } },
  test: ({ content }) => content.replaced_by !== undefined,
};

/** Counts the matching terms that were replaced. Most texts find none, and replaced terms are rare. */
const countReplaced = (state: VocabularyState, matched: TermCondition): Promise<number> =>
  countTerms(state, allConditions([IS_REPLACED, matched]));

/** Returns the search for matching terms that were replaced. */
const replacedTermsSearch = (state: VocabularyState, matched: TermCondition, after?: string): IndexSearch => ({
  size: BATCH_SIZE,
  track_total_hits: false,
  stored_fields: "_none_",
  docvalue_fields: ["id", "successor"],
  sort: [{ id: "asc" }],
  query: unchangedQuery(state, allConditions([IS_REPLACED, matched])),
  search_after: after === undefined ? undefined : [after],
});

interface ReplacedTerm {
  readonly id: string;
  readonly successor: string;
}

/**
 * Returns the ids of matching terms whose last successor matches too, so that nothing is suggested twice.
 * @param count number of matching terms that were replaced
 */
async function findDuplicates(
  state: VocabularyState,
  matched: TermCondition,
  count: number,
): Promise<readonly string[]> {
  const changed = changedMatches(state, allConditions([IS_REPLACED, matched]));
  const replaced: ReplacedTerm[] = changed.map(({ source: { content } }) => {
    return { id: content.id, successor: content.replaced_by! };
  });
  for (let read = replaced.length, after: string | undefined; read < count; read += BATCH_SIZE) {
    const [answer] = await state.ask([replacedTermsSearch(state, matched, after)]);
    const batch = answer!.hits.hits.map(({ fields }) => ({ id: fields!.id![0]!, successor: fields!.successor![0]! }));
    addAll(replaced, batch);
    after = batch.at(-1)?.id;
  }
  if (replaced.length === 0) return [];
  const lastSuccessors = await readLastSuccessors(state, replaced);
  const matchingIds = await findMatching(state, matched, new Set(lastSuccessors.values()));
  return replaced.flatMap(({ id }) => (matchingIds.has(lastSuccessors.get(id) ?? "") ? [id] : []));
}

/** Reads the last successors of replaced terms by id. Terms that lead back to themselves are left out. */
async function readLastSuccessors(
  { view, vocabulary }: VocabularyState,
  replaced: readonly ReplacedTerm[],
): Promise<Map<string, string>> {
  const successors = new Map<string, string | undefined>();
  for (let open = unique(replaced.map(({ successor }) => successor)); open.length > 0; ) {
    for (const { content } of await view.readTerms(vocabulary.name, open)) {
      successors.set(content.id, content.replaced_by);
    }
    const next = open.flatMap((id) => successors.get(id) ?? []);
    open = unique(next).filter((id) => !successors.has(id));
  }
  const numbers = new Map<string, number>();
  const makeNode = (id: string, successor: string | undefined) => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return { id: number, ext: id, successor };
  };
  return new Map(
    replaced.flatMap(({ id, successor }) => {
      const last = lastSuccessor(makeNode(id, successor), (node) =>
        node.successor === undefined || !successors.has(node.successor)
          ? undefined
          : makeNode(node.successor, successors.get(node.successor)),
      );
      return last === undefined ? [] : [[id, last.ext] as const];
    }),
  );
}

/** Returns the ids of terms that match. */
async function findMatching(
  state: VocabularyState,
  matched: TermCondition,
  ids: ReadonlySet<string>,
): Promise<Set<string>> {
  const condition = allConditions([matched, hasId(ids)]);
  const matchingIds = new Set(changedMatches(state, condition).map(({ source }) => source.content.id));
  if (condition.query === NOTHING_QUERY) return matchingIds;
  const idList = [...ids];
  const searches: IndexSearch[] = [];
  for (let from = 0; from < idList.length; from += BATCH_SIZE) {
    searches.push({
      size: BATCH_SIZE,
      track_total_hits: false,
      stored_fields: "_none_",
      docvalue_fields: ["id"],
      query: unchangedQuery(state, allConditions([matched, hasId(idList.slice(from, from + BATCH_SIZE))])),
    });
  }
  for (const { hits } of await state.ask(searches))
    for (const { fields } of hits.hits) matchingIds.add(fields!.id![0]!);
  return matchingIds;
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];
