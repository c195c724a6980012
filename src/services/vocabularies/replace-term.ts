import { requireTermWrite, requireUser } from "../../core/may.js";
import type { VocabularyServices } from "../api/vocabulary-services.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { readBefore } from "../context/read-before.js";
import { findTermToWrite } from "./find-term-to-write.js";
import { checkTargets, readTermBody } from "./read-term-body.js";

/** Puts another content in the place of an item's. What changes nothing stores nothing and raises no revision. */
export function makeReplaceTerm({ runWrite, catalog }: Deps): VocabularyServices["replaceTerm"] {
  return async (actor, address, body, { revision: seen } = {}) => {
    const user = requireUser(actor);
    const vocabulary = findVocabulary(catalog, address.vocabulary);
    requireTermWrite(user, vocabulary, "change");
    const read = readBefore(() => readTermBody(vocabulary, body, address.id));
    return runWrite({ actor }, async (tx, note) => {
      const before = await findTermToWrite(tx.terms, address, seen);
      const content = read();
      await checkTargets(tx.terms, vocabulary, content, targetsOf(before.json));
      const outcome = await tx.terms.put(vocabulary.name, content);
      const written = (await tx.terms.getExact(vocabulary.name, content.id))!;
      if (outcome !== "unchanged") {
        const { revision } = written.term;
        await note({ action: "term.put", kind: "term", place: vocabulary.name, id: content.id, revision });
      }
      return written;
    });
  };
}

function targetsOf(json: string): { readonly parent?: string; readonly replaced_by?: string } {
  const { parent, replaced_by } = JSON.parse(json) as {
    readonly parent?: { readonly id: string };
    readonly replaced_by?: string;
  };
  return {
    ...(parent === undefined ? {} : { parent: parent.id }),
    ...(replaced_by === undefined ? {} : { replaced_by }),
  };
}
