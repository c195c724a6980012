import { addAll } from "../../../core/collections.js";
import { LIMITS } from "../../../core/limits.js";
import { lastSuccessor } from "../../../core/terms/follow-id.js";
import type { IndexSearch } from "../connection/combine-searches.js";
import { NOTHING } from "../query/dsl.js";
import { allConditions, hasId, type TermCondition } from "./term-conditions.js";
import { changedMatches, countTerms, unchangedQuery, type VocabularyState } from "./vocabulary-state.js";

/** Number of replaced terms that are read at once. */
const BATCH_SIZE = LIMITS.pageWindowMax;

/** The condition of terms with a successor. */
const IS_REPLACED: TermCondition = {
  query: { exists: { field: "successor" } },
  test: ({ content }) => content.replaced_by !== undefined,
};

/** Counts the matching terms that were replaced. Most texts find none, and replaced terms are rare. */
export const countReplaced = (state: VocabularyState, matched: TermCondition): Promise<number> =>
  countTerms(state, allConditions([IS_REPLACED, matched]));

/** Returns the search for matching terms that were replaced. */
const replacedTermsSearch = (state: VocabularyState, matched: TermCondition, after?: string): IndexSearch => ({
  size: BATCH_SIZE,
  track_total_hits: false,
  stored_fields: "_none_",
  docvalue_fields: ["id", "successor"],
  sort: [{ id: "asc" }],
  query: unchangedQuery(state, allConditions([IS_REPLACED, matched])),
  search_after: after === undefined ? undefined : [after],
});

interface ReplacedTerm {
  readonly id: string;
  readonly successor: string;
}

/**
 * Returns the ids of matching terms whose last successor matches too, so that nothing is suggested twice.
 * @param count number of matching terms that were replaced
 */
export async function findDuplicates(
  state: VocabularyState,
  matched: TermCondition,
  count: number,
): Promise<readonly string[]> {
  const changed = changedMatches(state, allConditions([IS_REPLACED, matched]));
  const replaced: ReplacedTerm[] = changed.map(({ source: { content } }) => {
    return { id: content.id, successor: content.replaced_by! };
  });
  for (let read = replaced.length, after: string | undefined; read < count; read += BATCH_SIZE) {
    const [answer] = await state.ask([replacedTermsSearch(state, matched, after)]);
    const batch = answer!.hits.hits.map(({ fields }) => ({ id: fields!.id![0]!, successor: fields!.successor![0]! }));
    addAll(replaced, batch);
    after = batch.at(-1)?.id;
  }
  if (replaced.length === 0) return [];
  const lastSuccessors = await readLastSuccessors(state, replaced);
  const matchingIds = await findMatching(state, matched, new Set(lastSuccessors.values()));
  return replaced.flatMap(({ id }) => (matchingIds.has(lastSuccessors.get(id) ?? "") ? [id] : []));
}

/** Reads the last successors of replaced terms by id. Terms that lead back to themselves are left out. */
async function readLastSuccessors(
  { view, vocabulary }: VocabularyState,
  replaced: readonly ReplacedTerm[],
): Promise<Map<string, string>> {
  const successors = new Map<string, string | undefined>();
  for (let open = unique(replaced.map(({ successor }) => successor)); open.length > 0; ) {
    for (const { content } of await view.readTerms(vocabulary.name, open)) {
      successors.set(content.id, content.replaced_by);
    }
    const next = open.flatMap((id) => successors.get(id) ?? []);
    open = unique(next).filter((id) => !successors.has(id));
  }
  const numbers = new Map<string, number>();
  const makeNode = (id: string, successor: string | undefined) => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return { id: number, ext: id, successor };
  };
  return new Map(
    replaced.flatMap(({ id, successor }) => {
      const last = lastSuccessor(makeNode(id, successor), (node) =>
        node.successor === undefined || !successors.has(node.successor)
          ? undefined
          : makeNode(node.successor, successors.get(node.successor)),
      );
      return last === undefined ? [] : [[id, last.ext] as const];
    }),
  );
}

/** Returns the ids of terms that match. */
async function findMatching(
  state: VocabularyState,
  matched: TermCondition,
  ids: ReadonlySet<string>,
): Promise<Set<string>> {
  const condition = allConditions([matched, hasId(ids)]);
  const matchingIds = new Set(changedMatches(state, condition).map(({ source }) => source.content.id));
  if (condition.query === NOTHING) return matchingIds;
  const idList = [...ids];
  const searches: IndexSearch[] = [];
  for (let from = 0; from < idList.length; from += BATCH_SIZE) {
    searches.push({
      size: BATCH_SIZE,
      track_total_hits: false,
      stored_fields: "_none_",
      docvalue_fields: ["id"],
      query: unchangedQuery(state, allConditions([matched, hasId(idList.slice(from, from + BATCH_SIZE))])),
    });
  }
  for (const { hits } of await state.ask(searches))
    for (const { fields } of hits.hits) matchingIds.add(fields!.id![0]!);
  return matchingIds;
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];
