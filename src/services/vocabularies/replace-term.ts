import { requireTermWrite } from "../../core/may.js";
import type { VocabularyServices } from "../api/vocabulary-services.js";
import { parseEarly } from "../context/before-transaction.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { findTermToWrite } from "./find-term-to-write.js";
import { readTermBody } from "./read-term-body.js";
import { writeTerm } from "./write-term.js";

/** Puts another content in the place of an item's. What changes nothing stores nothing and raises no revision. */
export function makeReplaceTerm({ runWrite, catalog }: Deps): VocabularyServices["replaceTerm"] {
  return async (actor, address, body, { revision: seen } = {}) => {
    const vocabulary = findVocabulary(catalog, address.vocabulary);
    requireTermWrite(actor, vocabulary, "change");
    const read = parseEarly(() => readTermBody(vocabulary, body, address.id));
    return runWrite({ actor }, async (tx, note) => {
      const before = await findTermToWrite(tx.terms, address, seen);
      return writeTerm({ tx, actor, note }, vocabulary, before, read());
    });
  };
}
