/** Items that somebody may have meant by an id that a vocabulary does not have. */
import type { Vocabulary } from "../../core/catalog/types.js";
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
