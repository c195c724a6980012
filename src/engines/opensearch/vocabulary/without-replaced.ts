import { addAll } from "../../../core/collections.js";
import type { JsonObject } from "../../../core/json.js";
import { LIMITS } from "../../../core/limits.js";
import { lastSuccessor } from "../../../core/terms/follow-id.js";
import type { SearchAnswer } from "../connection/multi-search.js";
import { among, type TermPlace, unchanged } from "./asked-place.js";
import { allTests, type DocumentTest, hasAny } from "./document-test.js";

/** Replaced items that are read in one go. */
const MANY = LIMITS.pageWindowMax;

/** What finds the items that match and were replaced; most texts find none. */
export const replacedSearch = (place: TermPlace, matched: DocumentTest, after?: string): JsonObject => ({
  ...{ size: MANY, track_total_hits: false, stored_fields: "_none_", docvalue_fields: ["id", "successor"] },
  sort: [{ id: "asc" }],
  query: unchanged(place, allTests([{ kind: "replaced" }, matched])),
  ...(after === undefined ? {} : { search_after: [after] }),
});

interface Replaced {
  readonly id: string;
  readonly successor: string;
}

/**
 * Of what matches the ids of the items that were replaced by another one that matches: nobody is offered a thing twice.
 * @param first the answer to `replacedSearch`
 */
export async function offeredTwice(
  place: TermPlace,
  matched: DocumentTest,
  first: SearchAnswer,
): Promise<readonly string[]> {
  const changed = among(place, allTests([{ kind: "replaced" }, matched]));
  const replaced: Replaced[] = changed.map(({ id, successor }) => ({ id, successor: successor! }));
  for (let answer = first; ; ) {
    const some = answer.hits.hits.map(({ fields }) => ({ id: fields!.id![0]!, successor: fields!.successor![0]! }));
    addAll(replaced, some);
    if (some.length < MANY) break;
    [answer] = (await place.ask([replacedSearch(place, matched, some.at(-1)!.id)])) as [SearchAnswer];
  }
  if (replaced.length === 0) return [];
  const targets = await targetsOf(place, replaced);
  const offered = await matching(place, matched, new Set(targets.values()));
  return replaced.flatMap(({ id }) => (offered.has(targets.get(id) ?? "") ? [id] : []));
}

/** The items that stand for replaced ones, by their ids; those that stand for themselves are left out. */
async function targetsOf({ view, vocabulary }: TermPlace, replaced: readonly Replaced[]): Promise<Map<string, string>> {
  const successors = new Map<string, string | undefined>();
  for (let open = unique(replaced.map(({ successor }) => successor)); open.length > 0; ) {
    for (const { content } of await view.termsOf(vocabulary.name, open)) {
      successors.set(content.id, content.replaced_by);
    }
    const known = open.flatMap((id) => successors.get(id) ?? []);
    open = unique(known).filter((id) => !successors.has(id));
  }
  const numbers = new Map<string, number>();
  const itemOf = (id: string, successor: string | undefined) => {
    const number = numbers.get(id) ?? numbers.size;
    numbers.set(id, number);
    return { id: number, ext: id, successor };
  };
  return new Map(
    replaced.flatMap(({ id, successor }) => {
      const last = lastSuccessor(itemOf(id, successor), (item) =>
        item.successor === undefined || !successors.has(item.successor)
          ? undefined
          : itemOf(item.successor, successors.get(item.successor)),
      );
      return last === undefined ? [] : [[id, last.ext] as const];
    }),
  );
}

/** Those of some items that match. */
async function matching(place: TermPlace, matched: DocumentTest, ids: ReadonlySet<string>): Promise<Set<string>> {
  const test = allTests([matched, hasAny("id", ids)]);
  const found = new Set(among(place, test).map(({ id }) => id));
  if (test.kind === "never") return found;
  const all = [...ids];
  const searches: JsonObject[] = [];
  for (let from = 0; from < all.length; from += MANY) {
    searches.push({
      ...{ size: MANY, track_total_hits: false, stored_fields: "_none_", docvalue_fields: ["id"] },
      query: unchanged(place, allTests([matched, hasAny("id", all.slice(from, from + MANY))])),
    });
  }
  for (const { hits } of await place.ask(searches)) for (const { fields } of hits.hits) found.add(fields!.id![0]!);
  return found;
}

const unique = (ids: readonly string[]): string[] => [...new Set(ids)];
