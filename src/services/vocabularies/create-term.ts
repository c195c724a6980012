import type { Actor } from "../../core/actor.js";
import { fail } from "../../core/errors.js";
import { requireTermWrite } from "../../core/may.js";
import type { TermContent } from "../../core/term.js";
import type { TermReader } from "../../ports/store.js";
import type { VocabularyServices } from "../api/vocabulary-services.js";
import { parseEarly } from "../context/before-transaction.js";
import type { Deps } from "../context/deps.js";
import { findVocabulary } from "../context/find-model.js";
import { requireTermRoom } from "../context/quotas.js";
import { findAlike } from "./find-alike.js";
import { checkTargets, readTermBody } from "./read-term-body.js";

/** Adds an item to a vocabulary. The id of one that was deleted may be given again: its revisions go on. */
export function makeCreateTerm(deps: Deps): VocabularyServices["createTerm"] {
  const { runWrite, catalog } = deps;
  return async (actor, name, body, { once } = {}) => {
    const vocabulary = findVocabulary(catalog, name);
    requireTermWrite(actor, vocabulary, "add");
    const read = parseEarly(() => readTermBody(vocabulary, body));
    const content = ifRead(read);
    const warnings = content === undefined ? [] : await findAlike(deps, vocabulary, content);
    return runWrite({ actor, ...(once === undefined ? {} : { once }) }, async (tx, note) => {
      const content = addedBy(actor, read());
      const stored = await idInUse(tx.terms, name, content.id);
      if (stored !== undefined) throw fail("TERM_EXISTS", { vocabulary: name, id: content.id, stored });
      await requireTermRoom(deps.quotas, tx.history, actor);
      await checkTargets(tx.terms, vocabulary, content, {});
      await tx.terms.put(name, content);
      const written = (await tx.terms.getExact(name, content.id))!;
      const { id } = content;
      const { revision } = written.term;
      await note({ action: "term.put", kind: "term", place: name, id, revision });
      await tx.history.add(actor, { vocabulary: name, id }, { revision, action: "created", fields: [] });
      return { ...written, edited: [], warnings };
    });
  };
}

/** What a depositor adds waits for a curator. */
function addedBy(actor: Actor, { confirmed: _, ...content }: TermContent): TermContent {
  const waits = actor.kind === "user" && actor.role === "depositor" && content.status === "active";
  return { ...content, ...(waits ? { confirmed: false } : {}) };
}

function ifRead(read: () => TermContent): TermContent | undefined {
  try {
    return read();
  } catch {
    // The transaction says why, once it is known that the caller may write.
    return undefined;
  }
}

/** What an id leads to already: an item, one with the same id in other capitals, or what an alias stands for. */
export async function idInUse(terms: TermReader, vocabulary: string, id: string): Promise<string | undefined> {
  const found = await terms.get(vocabulary, id);
  if (found?.kind === "found") return found.term.id;
  if (found?.kind === "moved") return (await terms.getExact(vocabulary, id))?.term.id ?? found.to;
  return undefined;
}
