import { fail } from "../../core/errors.js";
import { requireTermWrite } from "../../core/may.js";
import type { VocabularyServices } from "../api/vocabulary-services.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { findTermToWrite } from "./find-term-to-write.js";

/** Removes an item that nothing cites and that has no children; its id answers "gone" from then on. */
export function makeDeleteTerm({ runWrite, catalog }: Deps): VocabularyServices["deleteTerm"] {
  return async (actor, address, { revision: seen } = {}) => {
    const vocabulary = findVocabulary(catalog, address.vocabulary);
    requireTermWrite(actor, vocabulary, "delete");
    await runWrite({ actor }, async (tx, note) => {
      const { id, revision } = await findTermToWrite(tx.terms, address, seen);
      const { name } = vocabulary;
      const count = await tx.terms.citations(name, id);
      if (count > 0) throw fail("TERM_CITED", { vocabulary: name, id, count });
      const children = await tx.terms.children(name, id);
      if (children > 0) throw fail("TERM_HAS_CHILDREN", { vocabulary: name, id, children });
      await tx.terms.delete(name, id);
      await note({ action: "term.delete", kind: "term", place: name, id, revision });
      await tx.history.add(actor, { vocabulary: name, id }, { revision, action: "removed", fields: [] });
    });
  };
}
