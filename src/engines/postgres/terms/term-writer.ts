import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import { contentHash, termRow } from "../../../core/terms/term-row.js";
import type { TermWriter } from "../../../ports/store.js";
import type { OpenTransaction } from "../connection/write-transaction.js";
import { followTerm } from "./follow-terms.js";
import { noteMoved } from "./moved-terms.js";
import { makeTermLocks } from "./term-locks.js";
import { makeTermReader } from "./term-reader.js";
import { readStates, removeTerm, writeTerms } from "./written-terms.js";

/** Makes the writer of terms in an open transaction. */
export function makeTermWriter(tx: OpenTransaction, catalog: Catalog): TermWriter {
  const { sql, now, locks, note } = tx;
  const termLocks = makeTermLocks(locks);
  return {
    ...makeTermReader(sql, catalog, termLocks),
    put: async (name, content) => {
      const vocabulary = requireVocabulary(catalog, name);
      const { id } = content;
      await termLocks.toWrite(name);
      const { term, deletedRevision } = (await readStates(sql, name, [id])).get(id)!;
      const hash = contentHash(content);
      if (term?.hash === hash.toString("hex")) return "unchanged";
      const revision = (term?.revision ?? deletedRevision) + 1;
      const row = termRow(content, vocabulary, { revision, created: term?.created ?? now, updated: now }, hash);
      const isNew = term === undefined;
      await writeTerms(sql, vocabulary, [{ row, content, sources: term?.sources ?? 0, isNew }]);
      note({ kind: "term", action: isNew ? "created" : "updated", place: name, id, revision });
      tx.touch(name, changedSuccessors(term?.successor, row.successor));
      const isMoved = (term?.parent ?? null) !== row.parent;
      if (isMoved) await noteMoved(tx, name, id);
      await followTerm(tx, name, id, isMoved);
      return isNew ? "new" : "changed";
    },
    delete: async (name, id) => {
      requireVocabulary(catalog, name);
      await termLocks.toWrite(name);
      const term = (await readStates(sql, name, [id])).get(id)?.term;
      const revision = await removeTerm(sql, name, id);
      if (revision === undefined) return;
      note({ kind: "term", action: "removed", place: name, id, revision });
      const isMoved = term?.parent != null;
      if (isMoved) await noteMoved(tx, name, id);
      await followTerm(tx, name, id, isMoved);
    },
  };
}

/** Returns the old and the new successor of a term if they differ: their citation counts change. */
const changedSuccessors = (oldId: string | null = null, newId: string | null): readonly string[] =>
  oldId === newId ? [] : [oldId, newId].filter((id) => id !== null);

/** Returns a declared vocabulary. @throws BinderyError VOCABULARY_NOT_FOUND */
export function requireVocabulary(catalog: Catalog, name: string): Vocabulary {
  const vocabulary = catalog.vocabularies.get(name);
  if (vocabulary !== undefined) return vocabulary;
  throw fail("VOCABULARY_NOT_FOUND", { vocabulary: name, known: [...catalog.vocabularies.keys()] });
}
