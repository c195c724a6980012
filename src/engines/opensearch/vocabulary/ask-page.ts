import type { TermSuggest } from "../../../ports/search-index.js";
import type { Clause } from "../../../query/index-model/clause.js";
import type { CountedFacet } from "../../../query/index-model/declared-facets.js";
import { urlKeys } from "../../../query/ranking/term-steps.js";
import { among, countOf, itemsBelow, type TermPlace, totalOf } from "./asked-place.js";
import { allTests, type DocumentTest, hasAny } from "./document-test.js";
import { facetTest } from "./term-facets.js";
import { type AskedPage, rankedPage, type TermHits } from "./term-pages.js";
import { type ItemsBelow, idsWithin } from "./test-clause.js";
import { type TestedStep, urlTest } from "./test-steps.js";
import { replacedSearch, withoutReplaced } from "./without-replaced.js";

/** Reads which items lie below those that a clause names with all below them. */
export async function readBelow(place: TermPlace, clause: Clause): Promise<ItemsBelow> {
  const ids = [...new Set(idsWithin(clause))];
  const below = await Promise.all(ids.map((id) => itemsBelow(place, id)));
  const known = new Map(ids.map((id, i) => [id, below[i]!]));
  return (id) => known.get(id) ?? [];
}

/** Only what lies below the item that is asked for. */
export async function narrowTest(
  place: TermPlace,
  { parent, ancestor }: Pick<TermSuggest, "parent" | "ancestor">,
): Promise<DocumentTest> {
  return allTests([
    ...(parent === undefined ? [] : [hasAny("parent", [parent])]),
    ...(ancestor === undefined ? [] : [hasAny("id", await itemsBelow(place, ancestor))]),
  ]);
}

/**
 * The first of the identifiers that may end a URL that an item has; undefined where none has any.
 * @param tail the last words of the URL
 */
export async function identifyingKey(place: TermPlace, tail: readonly string[]): Promise<string | undefined> {
  const keys = urlKeys(tail);
  if (keys.length === 0) return undefined;
  const answers = await place.ask(keys.map((key) => countOf(place, urlTest(key))));
  return keys.find((key, i) => totalOf(answers[i]) + among(place, urlTest(key)).length > 0);
}

/** How many items fulfil the test, and a page of them, in one request. */
export async function askPage(
  place: TermPlace,
  test: DocumentTest,
  page: AskedPage,
): Promise<{ readonly total: number; readonly hits: TermHits }> {
  const [count, ...answers] = await place.ask([countOf(place, test), ...page.searches]);
  return { total: totalOf(count) + among(place, test).length, hits: page.read(answers) };
}

/** Items that are suggested. */
export interface Offered {
  /** What they fulfil, apart from filters. */
  readonly matched: DocumentTest;
  readonly total: number;
  readonly hits: TermHits;
}

/** A page of suggestions among the items that match. */
export async function askOffered(
  place: TermPlace,
  matched: DocumentTest,
  steps: readonly TestedStep[],
  { facets, page }: Pick<TermSuggest, "page"> & { readonly facets: readonly CountedFacet[] },
): Promise<Offered> {
  const filters = facets.map(facetTest);
  const asPage = (test: DocumentTest): AskedPage => rankedPage(place, test, steps, page);
  const all = allTests([matched, ...filters]);
  const first = asPage(all);
  // Mostly nothing that was replaced is among them: then this is all there is to ask.
  const [replaced, count, ...answers] = await place.ask([
    replacedSearch(place, matched),
    countOf(place, all),
    ...first.searches,
  ]);
  const offered = await withoutReplaced(place, matched, replaced!);
  if (offered === matched) {
    return { matched, total: totalOf(count) + among(place, all).length, hits: first.read(answers) };
  }
  const fewer = allTests([offered, ...filters]);
  return { matched: offered, ...(await askPage(place, fewer, asPage(fewer))) };
}
