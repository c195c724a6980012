import { compareBytes, compareCited } from "../../../core/terms/term-order.js";
import type { Page } from "../../../ports/search-index.js";
import {
  type TermPlace as RankedPlace,
  rankedTermKey,
  readRankedTermKey,
  readSortedTermKey,
  type SortKey,
} from "../../../query/ranking/sort-keys.js";
import type { OverlaidTerm } from "../../separate-index/overlay/term-overlay.js";
import type { SearchAnswer } from "../connection/multi-search.js";
import { NOTHING } from "../query/dsl.js";
import { allConditions, notCondition, type StepCondition, type TermCondition } from "./term-conditions.js";
import { changedMatches, unchangedQuery, type VocabularyState } from "./vocabulary-state.js";

/** A term that matches. */
export interface Hit {
  readonly id: string;
  /** The step of `bestmatch`; 0 in other orders. */
  readonly step: number;
  readonly values: SortValues;
}

/** The hits of a page. */
export interface TermHits {
  readonly hits: readonly Hit[];
  /** Key of the last hit; absent if there is no next page. */
  readonly next?: SortKey;
}

/** The searches of a page, and the function that reads it from their answers. */
export interface PageSearch {
  readonly searches: readonly object[];
  /** Whether the searches also count all terms. */
  readonly isCounted: boolean;
  read(answers: readonly SearchAnswer[]): TermHits;
}

/** A part of an order: one step, or the whole order if it has no steps. `after`: without hits up to these values. */
interface PageSection {
  readonly step: number;
  readonly condition: TermCondition;
  readonly after?: SortValues | undefined;
}

/** Returns the searches of a page in the order `bestmatch`: by step, and within a step in the order of the index. */
export function rankedPage(
  state: VocabularyState,
  matched: TermCondition,
  steps: readonly StepCondition[],
  page: Page,
): PageSearch {
  const after = "after" in page && page.after !== null ? readRankedKey(page.after) : undefined;
  const sections = steps.flatMap((step, i): PageSection[] => {
    const { number } = step;
    if (after !== undefined && number < after.step) return [];
    const section = { step: number, condition: allConditions([matched, step, ...steps.slice(0, i).map(notCondition)]) };
    return [after?.step === number ? { ...section, after: after.values } : section];
  });
  // The index is sorted in this order, so a search that does not count reads only the first terms.
  return makePageSearch(state, sections, { order: RANKED, page, keyOf: keyOfRanked, isCounted: false });
}

/** Returns the key of a hit in the order `bestmatch`. */
export const keyOfRanked = ({ step, values }: Hit): SortKey => rankedKey(step, values);

/** Returns the search of a page in an order by title or time. */
export function sortedPage(
  state: VocabularyState,
  matched: TermCondition,
  by: { readonly sort: "title" | "newest" | "oldest"; readonly lang: string },
  page: Page,
): PageSearch {
  const after = "after" in page && page.after !== null ? readSortedKey(page.after, by.sort) : undefined;
  const section = { step: 0, condition: matched, after };
  const order = sortedOrder(by.sort, by.lang);
  // The search reads all terms anyway.
  return makePageSearch(state, [section], { order, page, keyOf: ({ values }) => values, isCounted: true });
}

interface PageOrder {
  readonly order: TermOrder;
  readonly page: Page;
  readonly keyOf: (hit: Hit) => SortKey;
  readonly isCounted: boolean;
}

function makePageSearch(
  state: VocabularyState,
  sections: readonly PageSection[],
  { order, page, keyOf, isCounted }: PageOrder,
): PageSearch {
  const searchedSections = sections.filter(({ condition }) => condition.query !== NOTHING);
  const from = countSkipped(state, searchedSections, page);
  const remaining = "offset" in page ? { ...page, offset: page.offset - from } : page;
  // One hit more than the limit shows whether there is a next page.
  const size = ("offset" in remaining ? remaining.offset : 0) + page.limit + 1;
  return {
    isCounted,
    searches: searchedSections.map((section) => ({
      from,
      size,
      track_total_hits: isCounted,
      sort: order.sort,
      stored_fields: "_none_",
      docvalue_fields: ["id"],
      query: unchangedQuery(state, section.condition),
      ...(section.after === undefined ? {} : { search_after: section.after }),
    })),
    read(answers) {
      const hits = searchedSections.flatMap((section, i) => mergeHits(state, section, order, answers[i]!));
      return cutPage(hits, remaining, keyOf);
    },
  };
}

/** Counts the hits of the index that are certainly before the page. Each changed term may move the page by one hit. */
function countSkipped(state: VocabularyState, sections: readonly PageSection[], page: Page): number {
  // The numbers of hits of several sections are not known yet.
  if (!("offset" in page) || sections.length !== 1) return 0;
  return Math.max(0, page.offset - changedMatches(state, sections[0]!.condition).length);
}

/** Cuts a page from the hits after its cursor. */
export function cutPage(sortedHits: readonly Hit[], page: Page, keyOf: (hit: Hit) => SortKey): TermHits {
  const skip = "offset" in page ? page.offset : 0;
  const hits = sortedHits.slice(skip, skip + page.limit);
  const last = hits.at(-1);
  const isLast = sortedHits.length <= skip + page.limit || last === undefined;
  return isLast ? { hits } : { hits, next: keyOf(last) };
}

/** Merges the hits of the index and those of the overlay. */
function mergeHits(
  state: VocabularyState,
  { step, condition, after }: PageSection,
  order: TermOrder,
  answer: SearchAnswer,
): readonly Hit[] {
  const indexHits = answer.hits.hits.map(({ sort = [], fields }): Hit => ({ id: fields!.id![0]!, step, values: sort }));
  const changed = changedMatches(state, condition)
    .map((term): Hit => ({ id: term.source.content.id, step, values: order.valuesOf(term) }))
    .filter(({ values }) => after === undefined || order.compare(values, after) > 0);
  if (changed.length === 0) return indexHits;
  return [...indexHits, ...changed].sort((a, b) => order.compare(a.values, b.values));
}

/** The values by which OpenSearch sorts a hit. */
type SortValues = readonly (string | number)[];

/** An order of terms: the sort of OpenSearch, and the same comparison in memory. */
interface TermOrder {
  readonly sort: readonly object[];
  valuesOf(term: OverlaidTerm): SortValues;
  compare(a: SortValues, b: SortValues): number;
}

/** The order of `compareCited`, in which the index is sorted. */
export const RANKED: TermOrder = {
  sort: [{ status: "asc" }, { cited: "desc" }, { prior: "desc" }, { length: "asc" }, { id: "asc" }],
  valuesOf: ({ source: { status, citedBy, prior, length, content } }) => [status, citedBy, prior, length, content.id],
  compare: (a, b) => compareCited(rankOf(a), rankOf(b)),
};

function rankOf([status, cited, prior, length, id]: SortValues): Omit<RankedPlace, "step"> {
  return {
    status: Number(status),
    cited: Number(cited),
    prior: Number(prior),
    length: Number(length),
    ext: String(id),
  };
}

/** Returns the key of a hit of a step in a cursor. */
const rankedKey = (step: number, values: SortValues): SortKey => rankedTermKey({ step, ...rankOf(values) });

/** Reads the key of a cursor in the order `bestmatch`. @throws BinderyError CURSOR_INVALID */
export function readRankedKey(key: SortKey): { readonly step: number; readonly values: SortValues } {
  const { step, status, cited, prior, length, ext } = readRankedTermKey(key);
  return { step, values: [status, cited, prior, length, ext] };
}

/** Returns an order by title or time. The keys of its cursors are the sort values. */
function sortedOrder(sort: "title" | "newest" | "oldest", lang: string): TermOrder {
  if (sort === "title") {
    return {
      sort: [{ [`order.${lang}`]: "asc" }],
      valuesOf: ({ held }) => [held.titleKey(lang)],
      compare: ([a], [b]) => compareBytes(String(a), String(b)),
    };
  }
  const direction = sort === "newest" ? "desc" : "asc";
  const sign = sort === "newest" ? -1 : 1;
  return {
    sort: [{ created: direction }, { id: direction }],
    valuesOf: ({ source: { created, content } }) => [created, content.id],
    compare: (a, b) => sign * (Number(a[0]) - Number(b[0]) || compareBytes(String(a[1]), String(b[1]))),
  };
}

/** Reads the key of a cursor in another order. @throws BinderyError CURSOR_INVALID */
const readSortedKey = (key: SortKey, sort: "title" | "newest" | "oldest"): SortValues => readSortedTermKey(key, sort);
