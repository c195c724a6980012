import type { Catalog, Vocabulary } from "../../../core/catalog/types.js";
import { fail } from "../../../core/errors.js";
import { contentHash, termRow } from "../../../core/terms/term-row.js";
import type { TermWriter } from "../../../ports/store.js";
import type { OpenTransaction } from "../connection/write-transaction.js";
import { followTerm } from "./follow-terms.js";
import { noteMoved } from "./moved-terms.js";
import { termLocksOf } from "./term-locks.js";
import { makeTermReader } from "./term-reader.js";
import { readBefore, removeTerm, writeTerms } from "./written-terms.js";

export function makeTermWriter(tx: OpenTransaction, catalog: Catalog): TermWriter {
  const { sql, now, locks, note } = tx;
  const terms = termLocksOf(locks);
  return {
    ...makeTermReader(sql, catalog, terms),
    put: async (name, content) => {
      const vocabulary = declared(catalog, name);
      const { id } = content;
      await terms.toWrite(name);
      const { item, goneAt } = (await readBefore(sql, name, [id])).get(id)!;
      const hash = contentHash(content);
      if (item?.hash === hash.toString("hex")) return "unchanged";
      const revision = (item?.revision ?? goneAt) + 1;
      const row = termRow(content, vocabulary, { revision, created: item?.created ?? now, updated: now }, hash);
      const isNew = item === undefined;
      await writeTerms(sql, vocabulary, [{ row, content, sources: item?.sources ?? 0, isNew }]);
      note({ kind: "term", action: isNew ? "created" : "updated", place: name, id, revision });
      tx.touch(name, led(item?.successor, row.successor));
      const isMoved = (item?.parent ?? null) !== row.parent;
      if (isMoved) await noteMoved(tx, name, id);
      await followTerm(tx, name, id, isMoved);
      return isNew ? "new" : "changed";
    },
    delete: async (name, id) => {
      declared(catalog, name);
      await terms.toWrite(name);
      const item = (await readBefore(sql, name, [id])).get(id)?.item;
      const revision = await removeTerm(sql, name, id);
      if (revision === undefined) return;
      note({ kind: "term", action: "removed", place: name, id, revision });
      const isMoved = item?.parent != null;
      if (isMoved) await noteMoved(tx, name, id);
      await followTerm(tx, name, id, isMoved);
    },
  };
}

/** What an item leads to, and led to, if that is another one now: these are cited otherwise. */
const led = (before: string | null = null, now: string | null): readonly string[] =>
  before === now ? [] : [before, now].filter((id) => id !== null);

/** @throws BinderyError VOCABULARY_NOT_FOUND */
export function declared(catalog: Catalog, vocabulary: string): Vocabulary {
  const found = catalog.vocabularies.get(vocabulary);
  if (found === undefined) throw fail("VOCABULARY_NOT_FOUND", { vocabulary, known: [...catalog.vocabularies.keys()] });
  return found;
}
