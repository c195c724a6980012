import type { StoredTerm, TermContent } from "../../../../core/term.js";
import { type MatchableValues, matchableValues } from "../../../../query/ranking/what-matched.js";
import { citedBy } from "../store/cited-by.js";
import type { Generation } from "../store/generation.js";
import { keptUntilWrite } from "../store/generation-cache.js";
import { rowsById, storedTerms } from "../store/term-reader.js";
import type { SearchContext } from "./search-context.js";

/** An item as answers show it. */
export interface ShownTerm {
  term: StoredTerm;
  /** What words may match, once a suggestion has asked for it. */
  values?: MatchableValues;
}

/** Items of longer pages are read each time: who walks through a vocabulary sees each of them once. */
const KEPT_PAGE_MAX = 100;

/** The text may have two bytes a character, its values take as much again, and the text as it is sent half of it. */
const CHARACTER_BYTES = 5;

/** The items of rows, in the order asked; those of short pages are kept until the next write. */
export function shownTerms(context: SearchContext, ids: readonly number[]): readonly ShownTerm[] {
  const { generation, vocabulary, shown } = context;
  // Titles of parents are kept in any case: many items have the same.
  const read = (some: readonly number[]): StoredTerm[] =>
    storedTerms(generation, vocabulary.name, rowsById(generation, some), shown);
  if (ids.length > KEPT_PAGE_MAX) return read(ids).map((term) => ({ term }));
  const kept = ids.map((id) =>
    keptUntilWrite({ generation, cache: shown }, `shown ${id}`, (): [ShownTerm, number] => {
      const term = read([id])[0]!;
      return [{ term }, term.json.length * CHARACTER_BYTES];
    }),
  );
  return withCitations(generation, kept);
}

/** Citations change without the item being written: where they did, it is another object for whoever keeps its text. */
function withCitations(generation: Generation, kept: readonly ShownTerm[]): readonly ShownTerm[] {
  const counts = citedBy(
    generation,
    kept.map(({ term }) => term.id),
  );
  for (const [i, shown] of kept.entries()) {
    const now = counts[i]!;
    if (shown.term.citedBy !== now) shown.term = { ...shown.term, citedBy: now };
  }
  return kept;
}

/** What of an item words may match. */
export function valuesOf(shown: ShownTerm, { vocabulary }: SearchContext): MatchableValues {
  shown.values ??= matchableValues(JSON.parse(shown.term.json) as TermContent, vocabulary);
  return shown.values;
}
