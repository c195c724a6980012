import { requireTermWrite } from "../../core/may.js";
import type { VocabularyServices } from "../api/vocabulary-services.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { contentOfTerm, findTermToWrite } from "./find-term-to-write.js";
import { writeTerm } from "./write-term.js";

/** Notes that a curator has looked at an item that a depositor added. One that was confirmed before stays as it is. */
export function makeConfirmTerm({ runWrite, catalog }: Deps): VocabularyServices["confirmTerm"] {
  return async (actor, address, { revision: seen, once } = {}) => {
    const vocabulary = findVocabulary(catalog, address.vocabulary);
    requireTermWrite(actor, vocabulary, "change");
    return runWrite({ actor, ...(once === undefined ? {} : { once }) }, async (tx, note) => {
      const before = await findTermToWrite(tx.terms, address, seen);
      const { confirmed: _, ...content } = contentOfTerm(vocabulary, before);
      return writeTerm({ tx, actor, note }, vocabulary, before, content, "term.confirm");
    });
  };
}
