import { compareBytes, compareCited } from "../../../core/terms/term-order.js";
import type { PageWindow } from "../../../ports/search-index.js";
import {
  type TermPlace as RankedPlace,
  rankedTermKey,
  readRankedTermKey,
  readSortedTermKey,
  type SortKey,
} from "../../../query/ranking/sort-keys.js";
import type { OverlaidTerm } from "../../separate-index/overlay/term-overlay.js";
import type { IndexSearch } from "../connection/combine-searches.js";
import type { IndexAnswer } from "../connection/multi-search.js";
import { EVERYTHING_QUERY, type IndexQuery, NOTHING_QUERY } from "../query/dsl.js";
import { allConditions, notCondition, type StepCondition, type TermCondition } from "./term-conditions.js";
import { changedMatches, unchangedQuery, type VocabularyState } from "./vocabulary-state.js";

/** The place of a term in an order. */
interface TermHitPlace {
  /** The step of `bestmatch`; 0 in other orders. */
  readonly step: number;
  readonly values: SortValues;
}

/** A term that matches. */
export interface MatchedTerm extends TermHitPlace {
  readonly id: string;
}

/** The hits of a page. */
export interface TermHits {
  readonly hits: readonly MatchedTerm[];
  /** Key of the last hit; absent if there is no next page. */
  readonly next?: SortKey;
}

/**
 * Reads a page in the order `bestmatch`: by step, and within a step in the order of the index.
 * @param visitedMax maximum number of terms, in each shard, that one search for all steps visits; if more match, each
 *   step has a search. Infinite if a step is within another condition
 */
export async function readRankedPage(
  state: VocabularyState,
  matched: TermCondition,
  steps: readonly StepCondition[],
  page: PageWindow,
  visitedMax = state.visitedMax,
): Promise<TermHits> {
  const after = "after" in page && page.after !== null ? readRankedKey(page.after) : undefined;
  const requested = { page, after, getKey: keyOfRanked };
  const scored = makePageSearch(state, [{ condition: matched, order: scoredOrder(steps, visitedMax) }], requested);
  // If many terms match, the search for a step ends after its first hits, which are the first in the index.
  let stepped: PageSearch | undefined;
  const replacements = (): readonly IndexSearch[] => {
    const sections = steps.flatMap((step, i): Section[] => {
      if (after !== undefined && step.number < after.step) return [];
      const condition = allConditions([matched, step, ...steps.slice(0, i).map(notCondition)]);
      return condition.query === NOTHING_QUERY ? [] : [{ condition, order: stepOrder(step.number) }];
    });
    stepped = makePageSearch(state, sections, requested);
    return stepped.searches;
  };
  const [answer] = await state.ask(scored.searches.map((search) => ({ ...search, replacements })));
  return stepped === undefined ? scored.readPage([answer!]) : stepped.readPage(answer?.replacements ?? []);
}

/** Returns the key of a place in the order `bestmatch`. */
const keyOfRanked = ({ step, values }: TermHitPlace): SortKey => rankedTermKey({ step, ...readRank(values) });

/** Reads a page in an order by title or time. */
export async function readSortedPage(
  state: VocabularyState,
  matched: TermCondition,
  by: { readonly sort: "title" | "newest" | "oldest"; readonly lang: string },
  page: PageWindow,
): Promise<TermHits> {
  const values = "after" in page && page.after !== null ? readSortedTermKey(page.after, by.sort) : undefined;
  const { searches, readPage } = makePageSearch(state, [{ condition: matched, order: sortedOrder(by.sort, by.lang) }], {
    page,
    after: values && { step: 0, values },
    getKey: ({ values }) => values,
  });
  return readPage(await state.ask(searches));
}

/** A part of an order that one search finds: the terms that match a condition. */
interface Section {
  readonly condition: TermCondition;
  readonly order: TermOrder;
}

/** The requested page of an order. */
interface RequestedPage {
  readonly page: PageWindow;
  /** The place after which the page begins. */
  readonly after: TermHitPlace | undefined;
  readonly getKey: (place: TermHitPlace) => SortKey;
}

/** The searches of a page, and the function that reads the page from their answers. */
interface PageSearch {
  readonly searches: readonly IndexSearch[];
  readPage(answers: readonly IndexAnswer[]): TermHits;
}

function makePageSearch(
  state: VocabularyState,
  sections: readonly Section[],
  { page, after, getKey }: RequestedPage,
): PageSearch {
  const changed = sections.map(({ condition, order }) =>
    changedMatches(state, condition)
      .map((term): MatchedTerm => ({ id: term.source.content.id, ...order.changedPlace(term) }))
      .filter((hit) => after === undefined || order.compare(hit, after) > 0),
  );
  // Hits of the index that are certainly before the page are skipped there. Each changed term may move the page by one
  // hit; the numbers of hits of several sections are not known.
  const from = "offset" in page && sections.length === 1 ? Math.max(0, page.offset - changed[0]!.length) : 0;
  const remaining = "offset" in page ? { ...page, offset: page.offset - from } : page;
  // One hit more than the limit shows whether there is a next page.
  const size = ("offset" in remaining ? remaining.offset : 0) + page.limit + 1;
  return {
    searches: sections.map(({ condition, order }) => ({
      from,
      size,
      track_total_hits: false,
      stored_fields: "_none_",
      docvalue_fields: ["id"],
      query: unchangedQuery(state, condition),
      ...order.search(condition),
      search_after: after && order.valuesAt(after),
    })),
    readPage: (answers) => {
      const hits = sections.flatMap(({ order }, i) => {
        const found = answers[i]!.hits.hits.map(({ sort = [], fields }) => {
          return { id: fields!.id![0]!, ...order.hitPlace(sort) };
        });
        return changed[i]!.length === 0 ? found : [...found, ...changed[i]!].sort(order.compare);
      });
      return cutPage(hits, remaining, getKey);
    },
  };
}

/** Cuts a page from the hits after its cursor. */
function cutPage(
  sortedHits: readonly MatchedTerm[],
  page: PageWindow,
  getKey: (hit: MatchedTerm) => SortKey,
): TermHits {
  const skip = "offset" in page ? page.offset : 0;
  const hits = sortedHits.slice(skip, skip + page.limit);
  const last = hits.at(-1);
  const isLast = sortedHits.length <= skip + page.limit || last === undefined;
  return isLast ? { hits } : { hits, next: getKey(last) };
}

/** The values by which OpenSearch sorts a hit, without its score. */
type SortValues = readonly (string | number)[];

/** An order of terms: the members of a search in OpenSearch, and the same comparison in memory. */
interface TermOrder {
  search(condition: TermCondition): IndexSearch;
  /** Returns the place of a hit. @param sort the values that OpenSearch sorted it by */
  hitPlace(sort: SortValues): TermHitPlace;
  changedPlace(term: OverlaidTerm): TermHitPlace;
  /** Returns the values by which OpenSearch sorts hits after a place; undefined if all hits are after it. */
  valuesAt(place: TermHitPlace): SortValues | undefined;
  compare(a: TermHitPlace, b: TermHitPlace): number;
}

/** The static order of the terms in a step, which is that of the index (`compareCited`). */
const STATIC_SORT = [
  { status: "asc" },
  { cited: "desc" },
  { prior: "desc" },
  { length: "asc" },
  { id: "asc" },
] as const;

const staticValues = ({ source: { status, citedBy, prior, length, content } }: OverlaidTerm): SortValues => [
  status,
  citedBy,
  prior,
  length,
  content.id,
];

function readRank([status, cited, prior, length, id]: SortValues): Omit<RankedPlace, "step"> {
  return {
    status: Number(status),
    cited: Number(cited),
    prior: Number(prior),
    length: Number(length),
    ext: String(id),
  };
}

/** Compares places in the order `bestmatch`. */
const compareRanked = (a: TermHitPlace, b: TermHitPlace): number =>
  a.step - b.step || compareCited(readRank(a.values), readRank(b.values));

/** Returns the order of the terms of one step, in which the index is sorted. */
const stepOrder = (step: number): TermOrder => ({
  search: () => ({ sort: STATIC_SORT }),
  hitPlace: (values) => ({ step, values }),
  changedPlace: (term) => ({ step, values: staticValues(term) }),
  valuesAt: (after) => (after.step === step ? after.values : undefined),
  compare: compareRanked,
});

/**
 * Returns the order `bestmatch` for one search. The score of a term tells its step. A single step needs no scores.
 * @param steps the last one takes all terms
 */
function scoredOrder(steps: readonly StepCondition[], visitedMax: number): TermOrder {
  const last = steps.findIndex(({ query, within }) => query === EVERYTHING_QUERY && within === undefined);
  const searched = steps.slice(0, last + 1).filter(({ query }) => query !== NOTHING_QUERY);
  if (searched.length === 1) return stepOrder(searched[0]!.number);
  const scoreOf = (i: number): number => searched.length - i;
  const queriesWithin = new Map<TermCondition | undefined, IndexQuery[]>();
  for (const [i, { query, within }] of searched.entries()) {
    const scored = { constant_score: { filter: query, boost: scoreOf(i) } };
    queriesWithin.set(within, [...(queriesWithin.get(within) ?? []), scored]);
  }
  const queries = [...queriesWithin].flatMap(([within, scored]) =>
    within === undefined ? scored : [{ bool: { filter: within.query, must: { dis_max: { queries: scored } } } }],
  );
  return {
    search: () => ({
      ranking: { dis_max: { queries } },
      sort: [{ _score: "desc" }, ...STATIC_SORT],
      visitsAll: true,
      terminate_after: Number.isFinite(visitedMax) ? visitedMax : undefined,
    }),
    hitPlace: ([score, ...values]) => ({ step: searched[searched.length - Number(score)]!.number, values }),
    changedPlace: (term) => {
      const { number } = steps.find(({ test }) => test(term.inMemory))!;
      return { step: number, values: staticValues(term) };
    },
    valuesAt: ({ step, values }) => {
      const found = searched.findIndex(({ number }) => number >= step);
      const next = found < 0 ? searched.length : found;
      // A step without a query is between two scores.
      return [searched[next]?.number === step ? scoreOf(next) : scoreOf(next) + 0.5, ...values];
    },
    compare: compareRanked,
  };
}

/** Reads the key of a cursor in the order `bestmatch`. @throws BinderyError CURSOR_INVALID */
function readRankedKey(key: SortKey): TermHitPlace {
  const { step, status, cited, prior, length, ext } = readRankedTermKey(key);
  return { step, values: [status, cited, prior, length, ext] };
}

/** Returns an order by title or time. The keys of its cursors are the sort values. */
function sortedOrder(sort: "title" | "newest" | "oldest", lang: string): TermOrder {
  const search = (...sort: readonly object[]): TermOrder["search"] => {
    // The first terms of all are found without visiting the others.
    return ({ query }) => ({ sort, visitsAll: query !== EVERYTHING_QUERY });
  };
  const withoutSteps = {
    hitPlace: (values: SortValues) => ({ step: 0, values }),
    valuesAt: ({ values }: TermHitPlace) => values,
  };
  if (sort === "title") {
    return {
      ...withoutSteps,
      search: search({ [`order.${lang}`]: "asc" }),
      changedPlace: ({ inMemory }) => ({ step: 0, values: [inMemory.titleKey(lang)] }),
      compare: ({ values: [a] }, { values: [b] }) => compareBytes(String(a), String(b)),
    };
  }
  const direction = sort === "newest" ? "desc" : "asc";
  const sign = sort === "newest" ? -1 : 1;
  return {
    ...withoutSteps,
    search: search({ created: direction }, { id: direction }),
    changedPlace: ({ source: { created, content } }) => ({ step: 0, values: [created, content.id] }),
    compare: ({ values: a }, { values: b }) =>
      sign * (Number(a[0]) - Number(b[0]) || compareBytes(String(a[1]), String(b[1]))),
  };
}
