import type { TermSearch } from "../../../ports/search-index.js";
import type { Clause } from "../../../query/index-model/clause.js";
import { urlKeys } from "../../../query/ranking/term-steps.js";
import { among, belowTest, countOf, type TermPlace, totalOf } from "./asked-place.js";
import { allTests, type DocumentTest, hasAny, NEVER } from "./document-test.js";
import type { AskedPage, TermHits } from "./term-pages.js";
import { type ItemsBelow, idsWithin } from "./test-clause.js";
import { urlTest } from "./test-steps.js";

/** Reads which items lie below those that a clause names with all below them. */
export async function readBelow(place: TermPlace, clause: Clause): Promise<ItemsBelow> {
  const ids = [...new Set(idsWithin(clause))];
  const below = await Promise.all(ids.map((id) => belowTest(place, id)));
  const known = new Map(ids.map((id, i) => [id, below[i]!]));
  return (id) => known.get(id) ?? NEVER;
}

/** Only what lies below the item that is asked for. */
export async function narrowTest(
  place: TermPlace,
  { parent, ancestor }: Pick<TermSearch, "parent" | "ancestor">,
): Promise<DocumentTest> {
  return allTests([
    ...(parent === undefined ? [] : [hasAny("parent", [parent])]),
    ...(ancestor === undefined ? [] : [await belowTest(place, ancestor)]),
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
): Promise<TermHits & { readonly total: number }> {
  const counting = page.isCounted ? [] : [countOf(place, test)];
  const answers = await place.ask([...counting, ...page.searches]);
  const total = totalOf(answers[0]) + among(place, test).length;
  return { total, ...page.read(answers.slice(counting.length)) };
}
