import type { Vocabulary } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import type { JsonObject } from "../../../core/json.js";
import type { SourceView } from "../../../ports/index-source.js";
import type { TermSearch } from "../../../ports/search-index.js";
import type { Clause } from "../../../query/index-model/clause.js";
import { urlKeys } from "../../../query/ranking/term-steps.js";
import type { TermDocument } from "../../separate-index/overlay/term-predicates.js";
import {
  allOf,
  anyOf,
  hasAny,
  makeDocumentFilter,
  NEVER,
  notOf,
  type TermPredicate,
} from "../../separate-index/overlay/term-predicates.js";
import type { SearchAnswer } from "../connection/multi-search.js";
import { type DescendantsOf, idsWithin, urlPredicate } from "./compile-predicates.js";
import { toQuery } from "./term-query.js";

/** One state of a vocabulary: its index, and the overlay of terms that changed since it was refreshed. */
export interface VocabularyState {
  readonly vocabulary: Vocabulary;
  /** The state of the store. */
  readonly view: Pick<SourceView, "termsOf" | "shownTerms" | "trees">;
  /** Maximum number of ids in the query for the descendants of a term. */
  readonly belowMax: number;
  /** Ids of the changed terms, including deleted ones. */
  readonly changed: readonly string[];
  /** Documents of the changed terms that exist. */
  readonly documents: readonly TermDocument[];
  /** Sends several searches to the index in one request. */
  ask(searches: readonly JsonObject[]): Promise<readonly SearchAnswer[]>;
  /** See `SearchedState`. */
  askedAll(): void;
}

/** Returns the query for terms that match and did not change, so that their documents in the index are current. */
export function unchangedQuery({ changed }: VocabularyState, predicate: TermPredicate): JsonObject {
  return toQuery(allOf([predicate, notOf(hasAny("id", changed))]));
}

/** Returns the documents of changed terms that match. */
export function changedMatches({ documents }: VocabularyState, predicate: TermPredicate): readonly TermDocument[] {
  return documents.length === 0 ? [] : documents.filter(makeDocumentFilter(predicate));
}

/** Returns the search that counts the matching unchanged terms. */
export const countSearch = (state: VocabularyState, predicate: TermPredicate): JsonObject => ({
  size: 0,
  track_total_hits: true,
  query: unchangedQuery(state, predicate),
});

/** Returns the number of hits of an answer. */
export const totalHits = (answer: SearchAnswer | undefined): number => answer?.hits.total?.value ?? 0;

/** Returns the predicate of the descendants of a term. @throws BinderyError QUERY_TOO_COSTLY for too many ids */
export async function descendantsPredicate(state: VocabularyState, id: string): Promise<TermPredicate> {
  const { view, vocabulary, documents: changed, belowMax: limit } = state;
  const below = await view.trees.below({ vocabulary: vocabulary.name, id, limit, changed });
  if (below === undefined) throw fail("QUERY_TOO_COSTLY", { clause: id });
  const byId = hasAny("id", below.ids);
  if (below.regions.length === 0) return byId;
  const inRegions = allOf([hasAny("region", below.regions), notOf(hasAny("id", [id, ...below.elsewhere]))]);
  return anyOf([byId, inRegions]);
}

/** Reads the descendants of the terms that a clause names with their descendants. */
export async function readDescendants(state: VocabularyState, clause: Clause): Promise<DescendantsOf> {
  const ids = [...new Set(idsWithin(clause))];
  const predicates = await Promise.all(ids.map((id) => descendantsPredicate(state, id)));
  const predicateById = new Map(ids.map((id, i) => [id, predicates[i]!]));
  return (id) => predicateById.get(id) ?? NEVER;
}

/** Returns the predicate of terms below the requested parent or ancestor. */
export async function lineagePredicate(
  state: VocabularyState,
  { parent, ancestor }: Pick<TermSearch, "parent" | "ancestor">,
): Promise<TermPredicate> {
  return allOf([
    ...(parent === undefined ? [] : [hasAny("parent", [parent])]),
    ...(ancestor === undefined ? [] : [await descendantsPredicate(state, ancestor)]),
  ]);
}

/**
 * Returns the first key of the identifiers that may end a URL that a term has; undefined if no term has one.
 * @param tail the last words of the URL
 */
export async function findUrlKey(state: VocabularyState, tail: readonly string[]): Promise<string | undefined> {
  const keys = urlKeys(tail);
  if (keys.length === 0) return undefined;
  const answers = await state.ask(keys.map((key) => countSearch(state, urlPredicate(key))));
  return keys.find((key, i) => totalHits(answers[i]) + changedMatches(state, urlPredicate(key)).length > 0);
}
