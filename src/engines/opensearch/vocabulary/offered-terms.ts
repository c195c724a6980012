import type { JsonObject } from "../../../core/json.js";
import type { Page } from "../../../ports/search-index.js";
import { EXACT_MATCHES_MIN } from "../../../query/ranking/typed-words.js";
import type { SearchAnswer } from "../connection/multi-search.js";
import { among, countOf, type TermPlace, totalOf, unchanged } from "./asked-place.js";
import { allTests, anyTest, type DocumentTest, hasAny, notTest } from "./document-test.js";
import { RANKED, readRankedKey } from "./term-orders.js";
import { cutPage, type Hit, keyOfRanked, rankedPage, type TermHits } from "./term-pages.js";
import type { TestedStep } from "./test-steps.js";
import { toQuery } from "./to-query.js";
import { offeredTwice, replacedSearch } from "./without-replaced.js";

/** What suggestions are made among. */
export interface Offering {
  /** Only what lies below an item. */
  readonly narrow: DocumentTest;
  /** What facets let through. */
  readonly filter: DocumentTest;
  readonly page: Page;
}

/** Items that are suggested. */
export interface Offered {
  /** What they fulfil, apart from filters. */
  readonly matched: DocumentTest;
  readonly total: number;
  readonly page: TermHits;
}

/** Matches in the order of the steps, each offered once. */
export async function offerExact(
  place: TermPlace,
  exact: DocumentTest,
  steps: readonly TestedStep[],
  { narrow, filter, page }: Offering,
): Promise<Offered> {
  const all = allTests([exact, narrow]);
  const ask = async (
    matched: DocumentTest,
    beside: readonly JsonObject[],
  ): Promise<{ readonly offered: Offered; readonly beside: readonly SearchAnswer[] }> => {
    const filtered = allTests([matched, filter]);
    const asked = rankedPage(place, filtered, steps, page);
    const [count, ...answers] = await place.ask([countOf(place, filtered), ...asked.searches, ...beside]);
    const total = totalOf(count) + among(place, filtered).length;
    return { offered: { matched, total, page: asked.read(answers) }, beside: answers.slice(asked.searches.length) };
  };
  // Mostly nothing that was replaced is among them: then this is all there is to ask.
  const first = await ask(all, [replacedSearch(place, all)]);
  const twice = await offeredTwice(place, all, first.beside[0]!);
  if (twice.length === 0) return first.offered;
  return (await ask(without(all, twice), [])).offered;
}

/** So few matches that all of them are known. */
interface FewOffered extends Offered {
  readonly all: readonly Hit[];
}

/** Reads all of few matches, where the page has not all of them. */
export async function readFew(
  place: TermPlace,
  offered: Offered,
  steps: readonly TestedStep[],
  filter: DocumentTest,
): Promise<FewOffered> {
  const { hits } = offered.page;
  if (hits.length === offered.total) return { ...offered, all: hits };
  const asked = rankedPage(place, allTests([offered.matched, filter]), steps, {
    after: null,
    limit: EXACT_MATCHES_MIN,
  });
  return { ...offered, all: asked.read(await place.ask(asked.searches)).hits };
}

/**
 * Adds what matches where something is forgiven to what matches truly, which is little. Its steps are few, and so are
 * its items: one search finds them all, by the first step that has each as its score.
 * @param steps each takes what the one before it takes, and more
 */
export async function offerForgiven(
  place: TermPlace,
  { matched, all: known }: FewOffered,
  steps: readonly TestedStep[],
  { narrow, filter, page }: Offering,
): Promise<FewOffered> {
  const forgiven = allTests([steps.at(-1)!.test, narrow]);
  const every = anyTest([matched, forgiven]);
  const ask = async (page: Page, twice: readonly string[], beside: readonly JsonObject[]): Promise<AskedForgiven> => {
    const left = known.filter(({ id }) => !twice.includes(id));
    // That one of the steps takes them is what the search is scored by, and need not be asked twice.
    const others = without(allTests([narrow, filter]), [...known.map(({ id }) => id), ...twice]);
    const after = "after" in page && page.after !== null ? readRankedKey(page.after) : undefined;
    const [answer, ...answers] = await place.ask([scored(place, others, steps, page), ...beside]);
    const changed = changedHits(place, others, steps);
    const found = [...left, ...scoredHits(answer!, steps), ...changed].sort(compareHits);
    const hits = found.filter((hit) => after === undefined || compareHits(hit, after) > 0);
    const total = left.length + totalOf(answer) + changed.length;
    return { hits, total, beside: answers };
  };
  let asked = await ask(page, [], [replacedSearch(place, every)]);
  const twice = await offeredTwice(place, every, asked.beside[0]!);
  if (twice.length > 0) asked = await ask(page, twice, []);
  const isFew = asked.total < EXACT_MATCHES_MIN && asked.hits.length < asked.total;
  const all = isFew ? (await ask({ after: null, limit: EXACT_MATCHES_MIN }, twice, [])).hits : asked.hits;
  const { total, hits } = asked;
  return { matched: without(every, twice), total, all, page: cutPage(hits, page, keyOfRanked) };
}

interface AskedForgiven {
  readonly hits: readonly Hit[];
  readonly total: number;
  readonly beside: readonly SearchAnswer[];
}

const without = (test: DocumentTest, ids: readonly string[]): DocumentTest =>
  allTests([test, notTest(hasAny("id", ids))]);

/** The first items by step, those after the cursor of the page. */
function scored(place: TermPlace, test: DocumentTest, steps: readonly TestedStep[], page: Page): JsonObject {
  const queries = steps.map((step, i) => ({
    constant_score: { filter: toQuery(step.test), boost: steps.length - i },
  }));
  const after = "after" in page && page.after !== null ? readRankedKey(page.after) : undefined;
  const at = steps.findIndex(({ number }) => number === after?.step);
  const skip = "offset" in page ? page.offset : 0;
  return {
    ...{ size: skip + page.limit + 1, track_total_hits: true },
    ...{ stored_fields: "_none_", docvalue_fields: ["id"], sort: [{ _score: "desc" }, ...RANKED.sort] },
    query: { bool: { filter: [unchanged(place, test)], must: [{ dis_max: { queries } }] } },
    ...(at < 0 ? {} : { search_after: [steps.length - at, ...after!.values] }),
  };
}

function scoredHits({ hits }: SearchAnswer, steps: readonly TestedStep[]): Hit[] {
  return hits.hits.map(({ sort = [], fields }) => {
    const [score, ...values] = sort;
    return { id: fields!.id![0]!, step: steps[steps.length - Number(score)]!.number, values };
  });
}

function changedHits(place: TermPlace, test: DocumentTest, steps: readonly TestedStep[]): Hit[] {
  const seen = new Set<string>();
  return steps.flatMap((step) =>
    among(place, allTests([test, step.test])).flatMap((document): Hit[] => {
      if (seen.has(document.id)) return [];
      seen.add(document.id);
      return [{ id: document.id, step: step.number, values: RANKED.valuesOf(document) }];
    }),
  );
}

const compareHits = (a: Pick<Hit, "step" | "values">, b: Pick<Hit, "step" | "values">): number =>
  a.step - b.step || RANKED.compare(a.values, b.values);
