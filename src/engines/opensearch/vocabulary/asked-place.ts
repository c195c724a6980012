import type { Vocabulary } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/json.js";
import type { SourceView } from "../../../ports/index-source.js";
import type { SearchAnswer } from "../connection/multi-search.js";
import type { TermDocument } from "../documents/term-document.js";
import { allTests, anyTest, type DocumentTest, hasAny, notTest } from "./document-test.js";
import { type Judge, makeJudge } from "./fulfils.js";
import { toQuery } from "./to-query.js";

/** One state of a vocabulary: what its index has, and beside it the items that changed since. */
export interface TermPlace {
  readonly vocabulary: Vocabulary;
  /** The state of the store. */
  readonly view: Pick<SourceView, "termsOf" | "shownTerms" | "below">;
  /** Ids that a search names at most of what stands below one. */
  readonly belowMax: number;
  /** Ids of the items that changed, also of those that are gone. */
  readonly changed: readonly string[];
  /** Those that are there. */
  readonly documents: readonly TermDocument[];
  /** Sends searches of the index together. */
  ask(searches: readonly JsonObject[]): Promise<readonly SearchAnswer[]>;
  /** See `SearchedState`. */
  askedAll(): void;
}

/** What the index has of an item is what counts: it has not changed since. */
export function unchanged({ changed }: TermPlace, test: DocumentTest): JsonObject {
  return toQuery(allTests([test, notTest(hasAny("id", changed))]));
}

/** Documents of changed items that fulfil the test. */
export function among({ documents }: TermPlace, test: DocumentTest): readonly TermDocument[] {
  return documents.length === 0 ? [] : documents.filter(makeJudge(test) satisfies Judge);
}

/** How many items fulfil the test: as a search, and the number that its answer gives. */
export const countOf = (place: TermPlace, test: DocumentTest): JsonObject => ({
  ...{ size: 0, track_total_hits: true },
  query: unchanged(place, test),
});

export const totalOf = (answer: SearchAnswer | undefined): number => answer?.hits.total?.value ?? 0;

/** Has what stands below an item. @throws BinderyError QUERY_TOO_COSTLY where too many ids had to be named */
export async function belowTest(place: TermPlace, id: string): Promise<DocumentTest> {
  const { view, vocabulary, documents: changed, belowMax: limit } = place;
  const below = await view.below({ vocabulary: vocabulary.name, id, limit, changed });
  if (below === undefined) throw fail("QUERY_TOO_COSTLY", { clause: id });
  const named = hasAny("id", below.ids);
  if (below.regions.length === 0) return named;
  const inRegions = allTests([hasAny("region", below.regions), notTest(hasAny("id", [id, ...below.elsewhere]))]);
  return anyTest([named, inRegions]);
}
