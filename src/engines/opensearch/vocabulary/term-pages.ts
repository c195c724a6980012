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
  /** Do the searches count all items too? */
  readonly isCounted: boolean;
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
  // The index lies in this order: whoever does not count looks at the first items only.
  return askPage(place, stretches, { order: RANKED, page, keyOf: keyOfRanked, isCounted: false });
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
  const order = sortedOrder(by.sort, by.lang);
  // All items are looked at anyway.
  return askPage(place, [stretch], { order, page, keyOf: ({ values }) => values, isCounted: true });
}

interface PageOrder {
  readonly order: TermOrder;
  readonly page: Page;
  readonly keyOf: (hit: Hit) => SortKey;
  readonly isCounted: boolean;
}

function askPage(
  place: TermPlace,
  stretches: readonly Stretch[],
  { order, page, keyOf, isCounted }: PageOrder,
): AskedPage {
  const asked = stretches.filter(({ test }) => test.kind !== "never");
  const from = skippedFirst(place, asked, page);
  const rest = "offset" in page ? { ...page, offset: page.offset - from } : page;
  // One more than wanted tells whether anything follows.
  const size = ("offset" in rest ? rest.offset : 0) + page.limit + 1;
  return {
    isCounted,
    searches: asked.map((stretch) => ({
      ...{ from, size, track_total_hits: isCounted, sort: order.sort },
      ...{ stored_fields: "_none_", docvalue_fields: ["id"] },
      query: unchanged(place, stretch.test),
      ...(stretch.after === undefined ? {} : { search_after: stretch.after }),
    })),
    read(answers) {
      const found = asked.flatMap((stretch, i) => merged(place, stretch, order, answers[i]!));
      return cutPage(found, rest, keyOf);
    },
  };
}

/** Hits of the index that stand before the page for certain: each item that changed may move the page by one. */
function skippedFirst(place: TermPlace, asked: readonly Stretch[], page: Page): number {
  // How many hits each of several has is not known yet.
  if (!("offset" in page) || asked.length !== 1) return 0;
  return Math.max(0, page.offset - among(place, asked[0]!.test).length);
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
