import type { Catalog, Vocabulary } from "../../../../core/catalog/types.js";
import { fail } from "../../../../core/errors.js";
import type { TermContent } from "../../../../core/term.js";
import { contentHash, termRow } from "../../../../core/terms/term-row.js";
import type { TermWriter } from "../../../../ports/store.js";
import { noteChange } from "../../connection/change-table.js";
import type { Db } from "../../connection/database.js";
import { currentGeneration, type Generation } from "./generation.js";
import { ensureGeneration } from "./make-generation.js";
import { findRow, putRow, removeRow } from "./put-row.js";
import { makeTermReader } from "./term-reader.js";

/** Has the index of the records that cite a term follow it, in the open transaction. */
type FollowTerm = (vocabulary: string, id: string) => void;

/** @param now the open transaction's instant, in microseconds. @param follow called for each term that changed */
export function makeTermWriter(db: Db, catalog: Catalog, now: number, follow: FollowTerm): TermWriter {
  return {
    ...makeTermReader(db, catalog),
    put: async (vocabulary, content) => {
      const { outcome, revision } = putTerm(db, declared(catalog, vocabulary), content, now);
      if (outcome !== "unchanged") {
        const action = outcome === "new" ? "created" : "updated";
        noteChange(db, now, { kind: "term", action, place: vocabulary, id: content.id, revision });
        follow(vocabulary, content.id);
      }
      return outcome;
    },
    delete: async (vocabulary, id) => {
      deleteTerm(db, declared(catalog, vocabulary), id, now);
      follow(vocabulary, id);
    },
  };
}

export function declared(catalog: Catalog, vocabulary: string): Vocabulary {
  const found = catalog.vocabularies.get(vocabulary);
  if (found === undefined) throw fail("VOCABULARY_NOT_FOUND", { vocabulary, known: [...catalog.vocabularies.keys()] });
  return found;
}

export interface PutOutcome {
  readonly outcome: "new" | "changed" | "unchanged";
  readonly revision: number;
}

/**
 * Inserts or replaces an item in the open transaction, without a change row.
 * @param sources bits of those that have it from then on; absent: as before
 */
export function putTerm(
  db: Db,
  vocabulary: Vocabulary,
  content: TermContent,
  now: number,
  sources?: number,
): PutOutcome {
  const generation = ensureGeneration(db, vocabulary);
  const old = findRow(generation, content.id);
  if (old?.hash.equals(contentHash(content))) {
    return { outcome: "unchanged", revision: old.revision };
  }
  const revision = (old?.revision ?? takeRevision(db, vocabulary.name, content.id)) + 1;
  const row = termRow(content, vocabulary, { revision, created: old?.created ?? now, updated: now });
  putRow(generation, vocabulary, row, sources);
  return { outcome: old === undefined ? "new" : "changed", revision };
}

/** The last revision of an id that is no item now, 0 where it never was one; forgets that it is none. */
export function takeRevision(db: Db, vocabulary: string, id: string): number {
  const row = db
    .sql<{ revision: number }>("DELETE FROM life WHERE vocabulary = ? AND ext = ? RETURNING revision")
    .get(vocabulary, id);
  return row?.revision ?? 0;
}

function deleteTerm(db: Db, vocabulary: Vocabulary, id: string, now: number): void {
  const generation: Generation | undefined = currentGeneration(db, vocabulary.name);
  const old = generation && findRow(generation, id);
  if (generation === undefined || old === undefined) return;
  removeRow(generation, vocabulary, id);
  const state = old.successor === null ? "deleted" : "replaced";
  db.sql("INSERT INTO life(vocabulary, ext, revision, state, successor) VALUES(?, ?, ?, ?, ?)").run(
    ...[vocabulary.name, id, old.revision, state, old.successor],
  );
  const { revision } = old;
  noteChange(db, now, { kind: "term", action: "removed", place: vocabulary.name, id, revision });
}
