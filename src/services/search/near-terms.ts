/** Terms that an unknown id may mean. */
import type { Vocabulary } from "../../core/catalog/types.js";
import { BinderyError } from "../../core/errors.js";
import { LIMITS } from "../../core/limits.js";
import type { NearTerm, TermFinder } from "../../ports/store.js";
import { idIn } from "../../query/fields/known-ids.js";

/**
 * Ids that an id without its prefix, with another prefix, as a URL or in other capitals may stand for; whether there
 * are such items is for the store to say.
 */
export function otherSpellings(vocabulary: Vocabulary, id: string): readonly string[] {
  const rests = [id, id.slice(id.indexOf(":") + 1), id.slice(id.lastIndexOf("/") + 1)];
  const spellings = rests.flatMap((rest) => [rest, ...vocabulary.idPrefixes.map((prefix) => `${prefix}:${rest}`)]);
  const ids = spellings.flatMap((text) => idIn(vocabulary, text).filter(({ block }) => block === undefined));
  return [...new Set(ids.map((known) => known.id))].filter((known) => known !== id);
}

/** Returns the terms with a similar id, or with this name. Empty if the look-up takes too long. */
export async function nearestTerms(
  finder: Pick<TermFinder, "nearest">,
  vocabulary: string,
  id: string,
): Promise<readonly NearTerm[]> {
  try {
    return await finder.nearest(vocabulary, id, LIMITS.nearestMax);
  } catch (error) {
    if (error instanceof BinderyError && error.code === "QUERY_TOO_COSTLY") return [];
    throw error;
  }
}
