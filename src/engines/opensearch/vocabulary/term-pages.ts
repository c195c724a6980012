import type { JsonObject } from "../../../core/json.js";
import type { Page } from "../../../ports/search-index.js";
import type { SortKey } from "../../../query/ranking/sort-keys.js";
import type { SearchAnswer } from "../connection/multi-search.js";
import { among, type TermPlace, unchanged } from "./asked-place.js";
import { allTests, type DocumentTest, notTest } from "./document-test.js";
import {
  RANKED,
  rankedKey,
  readRankedKey,
  readSortedKey,
  type SortValues,
  sortedOrder,
  type TermOrder,
} from "./term-orders.js";
import type { TestedStep } from "./test-steps.js";

/** An item that was found. */
export interface Hit {
  readonly id: string;
  /** Of `bestmatch`; 0 in other orders. */
  readonly step: number;
  readonly values: SortValues;
}

/** Items of a page, and the key of the last one where another follows. */
export interface TermHits {
  readonly hits: readonly Hit[];
  readonly next?: SortKey;
}

/** A page as the searches that it needs, and what their answers make. */
export interface AskedPage {
  readonly searches: readonly JsonObject[];
  read(answers: readonly SearchAnswer[]): TermHits;
}

/** One step, or all of an order without steps: what fulfils the test, after some values. */
interface Stretch {
  readonly step: number;
  readonly test: DocumentTest;
  readonly after?: SortValues;
}

/** Best first: by step, within a step in the order in which the index lies. */
export function rankedPage(
  place: TermPlace,
  matched: DocumentTest,
  steps: readonly TestedStep[],
  page: Page,
): AskedPage {
  const after = "after" in page && page.after !== null ? readRankedKey(page.after) : undefined;
  const stretches = steps.flatMap(({ number, test }, i): Stretch[] => {
    if (after !== undefined && number < after.step) return [];
    const earlier = steps.slice(0, i).map((step) => notTest(step.test));
    const stretch = { step: number, test: allTests([matched, test, ...earlier]) };
    return [after?.step === number ? { ...stretch, after: after.values } : stretch];
  });
  return askPage(place, stretches, RANKED, page, keyOfRanked);
}

export const keyOfRanked = ({ step, values }: Hit): SortKey => rankedKey(step, values);

export function sortedPage(
  place: TermPlace,
  matched: DocumentTest,
  by: { readonly sort: "title" | "newest" | "oldest"; readonly lang: string },
  page: Page,
): AskedPage {
  const after = "after" in page && page.after !== null ? readSortedKey(page.after, by.sort) : undefined;
  const stretch = { step: 0, test: matched, ...(after === undefined ? {} : { after }) };
  return askPage(place, [stretch], sortedOrder(by.sort, by.lang), page, ({ values }) => values);
}

function askPage(
  place: TermPlace,
  stretches: readonly Stretch[],
  order: TermOrder,
  page: Page,
  keyOf: (hit: Hit) => SortKey,
): AskedPage {
  const skip = "offset" in page ? page.offset : 0;
  // One more than wanted tells whether anything follows.
  const size = skip + page.limit + 1;
  const asked = stretches.filter(({ test }) => test.kind !== "never");
  return {
    searches: asked.map((stretch) => ({
      ...{ size, track_total_hits: false, stored_fields: "_none_", docvalue_fields: ["id"], sort: order.sort },
      query: unchanged(place, stretch.test),
      ...(stretch.after === undefined ? {} : { search_after: stretch.after }),
    })),
    read(answers) {
      const found = asked.flatMap((stretch, i) => merged(place, stretch, order, answers[i]!));
      return cutPage(found, page, keyOf);
    },
  };
}

/** The hits of a page among those that begin with the first one after its cursor. */
export function cutPage(found: readonly Hit[], page: Page, keyOf: (hit: Hit) => SortKey): TermHits {
  const skip = "offset" in page ? page.offset : 0;
  const hits = found.slice(skip, skip + page.limit);
  const last = hits.at(-1);
  const isLast = found.length <= skip + page.limit || last === undefined;
  return isLast ? { hits } : { hits, next: keyOf(last) };
}

/** What the index has and what changed since, in one order. */
function merged(
  place: TermPlace,
  { step, test, after }: Stretch,
  order: TermOrder,
  answer: SearchAnswer,
): readonly Hit[] {
  const found = answer.hits.hits.map(({ sort = [], fields }): Hit => ({ id: fields!.id![0]!, step, values: sort }));
  const changed = among(place, test)
    .map((document): Hit => ({ id: document.id, step, values: order.valuesOf(document) }))
    .filter(({ values }) => after === undefined || order.compare(values, after) > 0);
  if (changed.length === 0) return found;
  return [...found, ...changed].sort((a, b) => order.compare(a.values, b.values));
}
