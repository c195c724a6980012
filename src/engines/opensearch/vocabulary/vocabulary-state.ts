import type { Vocabulary } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import type { SourceView } from "../../../ports/index-source.js";
import type { TermSearch } from "../../../ports/search-index.js";
import type { Clause } from "../../../query/index-model/clause.js";
import { urlKeys } from "../../../query/ranking/term-steps.js";
import type { OverlaidTerm } from "../../separate-index/overlay/term-overlay.js";
import type { IndexSearch } from "../connection/combine-searches.js";
import type { IndexAnswer } from "../connection/multi-search.js";
import { andQueries, hasToken, type IndexQuery, NOTHING_QUERY, notQuery, orQueries } from "../query/dsl.js";
import { allConditions, type ConditionContext, type TermCondition, urlCondition } from "./term-conditions.js";

/** One state of a vocabulary: its index, and the overlay of terms that changed since it was refreshed. */
export interface VocabularyState {
  readonly vocabulary: Vocabulary;
  /** The state of the store. */
  readonly view: Pick<SourceView, "readTerms" | "shownTerms" | "trees">;
  /** Maximum number of ids in the query for the descendants of a term. */
  readonly belowMax: number;
  /** Maximum number of terms, in each shard, that one search for all steps of a ranking visits. */
  readonly visitedMax: number;
  /** Ids of the changed terms, including deleted ones. */
  readonly changed: readonly string[];
  /** The changed terms that exist. */
  readonly terms: readonly OverlaidTerm[];
  /** Sends several searches to the index in one request. */
  ask(searches: readonly IndexSearch[]): Promise<readonly IndexAnswer[]>;
  /** See `SearchedState`. */
  askedAll(): void;
}

/** Returns the query for terms that match and did not change, so that their documents in the index are current. */
export const unchangedQuery = ({ changed }: VocabularyState, { query }: TermCondition): IndexQuery =>
  andQueries([query, notQuery(hasToken("id", changed))]);

/** Returns the changed terms that match. */
export const changedMatches = ({ terms }: VocabularyState, { test }: TermCondition): readonly OverlaidTerm[] =>
  terms.filter(({ inMemory }) => test(inMemory));

/** Returns the search that counts the matching unchanged terms. */
const countSearch = (state: VocabularyState, condition: TermCondition): IndexSearch => ({
  size: 0,
  track_total_hits: true,
  query: unchangedQuery(state, condition),
});

/** Returns the number of hits of an answer. */
const totalHits = (answer: IndexAnswer | undefined): number => answer?.hits.total?.value ?? 0;

/** Counts the matching terms. */
export async function countTerms(state: VocabularyState, condition: TermCondition): Promise<number> {
  const [answer] = await state.ask([countSearch(state, condition)]);
  return totalHits(answer) + changedMatches(state, condition).length;
}

/** The descendants of a term. */
interface Descendants {
  readonly query: IndexQuery;
  /** Includes the ids of all changed ones. */
  readonly ids: ReadonlySet<string>;
}

/** Reads the descendants of a term. @throws BinderyError QUERY_TOO_COSTLY for too many ids */
async function readBelow(state: VocabularyState, id: string): Promise<Descendants> {
  const { view, vocabulary, terms, belowMax: limit } = state;
  const changed = terms.map(({ source }) => source.content);
  const below = await view.trees.below({ vocabulary: vocabulary.name, id, limit, changed });
  if (below === undefined) throw fail("QUERY_TOO_COSTLY", { clause: id });
  const exceptions = notQuery(hasToken("id", [id, ...below.elsewhere]));
  const inRegions = andQueries([hasToken("region", below.regions), exceptions]);
  return { query: orQueries([hasToken("id", below.ids), inRegions]), ids: new Set(below.ids) };
}

/** Reads the descendants of the terms that a clause names with their descendants. */
export async function readDescendants(
  state: VocabularyState,
  clause: Clause,
): Promise<Pick<ConditionContext, "belowQuery" | "isDescendant">> {
  const ids = [...new Set(idsWithin(clause))];
  const descendants = await Promise.all(ids.map((id) => readBelow(state, id)));
  const descendantsById = new Map(ids.map((id, i) => [id, descendants[i]!]));
  return {
    belowQuery: (id) => descendantsById.get(id)?.query ?? NOTHING_QUERY,
    isDescendant: (_, id, ancestor) => descendantsById.get(ancestor)?.ids.has(id) ?? false,
  };
}

/** Returns the ids of terms whose descendants a clause needs. */
function idsWithin(clause: Clause): readonly string[] {
  switch (clause.kind) {
    case "all":
    case "any":
      return clause.of.flatMap(idsWithin);
    case "not":
      return idsWithin(clause.of);
    case "cites":
      return clause.within ? [clause.id] : [];
    default:
      return [];
  }
}

/** Returns the condition of terms below the requested parent or ancestor. */
export async function lineageCondition(
  state: VocabularyState,
  { parent, ancestor }: Pick<TermSearch, "parent" | "ancestor">,
): Promise<TermCondition> {
  const conditions: TermCondition[] = [];
  if (parent !== undefined) {
    conditions.push({ query: hasToken("parent", [parent]), test: ({ content }) => content.parent === parent });
  }
  if (ancestor !== undefined) {
    const { query, ids } = await readBelow(state, ancestor);
    conditions.push({ query, test: ({ content }) => ids.has(content.id) });
  }
  return allConditions(conditions);
}

/**
 * Returns the first key of the identifiers that may end a URL that a term has; undefined if no term has one.
 * @param tail the last words of the URL
 */
export async function findUrlKey(state: VocabularyState, tail: readonly string[]): Promise<string | undefined> {
  const keys = urlKeys(tail);
  if (keys.length === 0) return undefined;
  const counts = await Promise.all(keys.map((key) => countTerms(state, urlCondition(key))));
  return keys.find((_, i) => counts[i]! > 0);
}
