import { type JsonObject, mergePatch } from "../../core/json.js";
import { requireTermWrite } from "../../core/may.js";
import { storedItem } from "../../core/terms/term-row.js";
import type { VocabularyServices } from "../api/vocabulary-services.js";
import { parseEarly } from "../context/before-transaction.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { checkBody } from "../input/check-body.js";
import { readJson } from "../input/read-json.js";
import { findTermToWrite } from "./find-term-to-write.js";
import { checkTermValue } from "./read-term-body.js";
import { writeTerm } from "./write-term.js";

/** Changes single fields of an item by a JSON merge patch. What changes nothing raises no revision. */
export function makePatchTerm({ runWrite, catalog }: Deps): VocabularyServices["patchTerm"] {
  return async (actor, address, body, { revision: seen } = {}) => {
    const vocabulary = findVocabulary(catalog, address.vocabulary);
    requireTermWrite(actor, vocabulary, "change");
    const read = parseEarly(() => {
      const patch = readJson(body);
      checkBody(patch);
      return patch;
    });
    return runWrite({ actor }, async (tx, note) => {
      const before = await findTermToWrite(tx.terms, address, seen);
      const item = mergePatch(storedItem<JsonObject>(before), read());
      return writeTerm({ tx, actor, note }, vocabulary, before, checkTermValue(vocabulary, item, address.id));
    });
  };
}
