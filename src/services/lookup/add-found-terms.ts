import { OPERATOR } from "../../core/actor.js";
import type { TermContent } from "../../core/term.js";
import type { TermReader } from "../../ports/store.js";
import type { Deps } from "../context/deps.js";
import type { FoundTerm } from "./ask-for-terms.js";

/** Adds terms that authorities have. What somebody added or removed meanwhile stays as it is. */
export async function addFoundTerms({ runWrite }: Pick<Deps, "runWrite">, found: readonly FoundTerm[]): Promise<void> {
  await runWrite({ actor: OPERATOR }, async (tx, note) => {
    for (const { vocabulary: place, content } of found) {
      if ((await tx.terms.get(place, content.id)) !== undefined) continue;
      await tx.terms.put(place, await attached(tx.terms, place, content));
      const { revision } = (await tx.terms.getExact(place, content.id))!.term;
      await note({ action: "term.lookup", kind: "term", place, id: content.id, revision });
    }
  });
}

/** A term refers only to those that are there. */
async function attached(terms: TermReader, vocabulary: string, content: TermContent): Promise<TermContent> {
  const { parent, replaced_by, ...rest } = content;
  const isThere = async (id: string | undefined): Promise<boolean> =>
    id !== undefined && (await terms.getExact(vocabulary, id)) !== undefined;
  return {
    ...rest,
    ...((await isThere(parent)) ? { parent: parent! } : {}),
    ...((await isThere(replaced_by)) ? { replaced_by: replaced_by! } : {}),
  };
}
