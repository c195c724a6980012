import type { Catalog, Vocabulary } from "../../../../core/catalog/types.js";
import { fail } from "../../../../core/errors.js";
import type { TermContent } from "../../../../core/term.js";
import { contentHash, termRow } from "../../../../core/terms/term-row.js";
import type { TermWriter } from "../../../../ports/store.js";
import { noteChange } from "../../connection/change-table.js";
import type { Db } from "../../connection/database.js";
import { currentGeneration, ensureGeneration, type Generation } from "./generation.js";
import { makeTermReader } from "./term-reader.js";
import { findRow, putRow, removeRow } from "./term-rows.js";

/** Updates the index of the records that cite a term, in the open transaction. */
type FollowTerm = (vocabulary: string, id: string) => void;

/**
 * Makes the writer of terms. @param now instant of the open transaction in microseconds. @param follow called for each
 * changed term
 */
export function makeTermWriter(db: Db, catalog: Catalog, now: number, follow: FollowTerm): TermWriter {
  return {
    ...makeTermReader(db, catalog),
    put: async (vocabulary, content) => {
      const { outcome, revision } = putTerm(db, requireVocabulary(catalog, vocabulary), content, now);
      if (outcome !== "unchanged") {
        const action = outcome === "new" ? "created" : "updated";
        noteChange(db, now, { kind: "term", action, place: vocabulary, id: content.id, revision });
        follow(vocabulary, content.id);
      }
      return outcome;
    },
    delete: async (vocabulary, id) => {
      deleteTerm(db, requireVocabulary(catalog, vocabulary), id, now);
      follow(vocabulary, id);
    },
  };
}

/**
 * Returns a declared vocabulary.
 * @throws BinderyError VOCABULARY_NOT_FOUND
 */
export function requireVocabulary(catalog: Catalog, vocabulary: string): Vocabulary {
  const declaredVocabulary = catalog.vocabularies.get(vocabulary);
  if (declaredVocabulary === undefined)
    throw fail("VOCABULARY_NOT_FOUND", { vocabulary, known: [...catalog.vocabularies.keys()] });
  return declaredVocabulary;
}

/** The effect of a write on a term, and its revision. */
export interface PutOutcome {
  readonly outcome: "new" | "changed" | "unchanged";
  readonly revision: number;
}

/**
 * Inserts or replaces a term in the open transaction, without a change row.
 * @param sources bits of the sources that have it afterwards; undefined: unchanged
 */
export function putTerm(
  db: Db,
  vocabulary: Vocabulary,
  content: TermContent,
  now: number,
  sources?: number,
): PutOutcome {
  const generation = ensureGeneration(db, vocabulary);
  const previousRow = findRow(generation, content.id);
  if (previousRow?.hash.equals(contentHash(content))) {
    return { outcome: "unchanged", revision: previousRow.revision };
  }
  const revision = (previousRow?.revision ?? takeRevision(db, vocabulary.name, content.id)) + 1;
  const row = termRow(content, vocabulary, { revision, created: previousRow?.created ?? now, updated: now });
  putRow(generation, vocabulary, row, sources);
  return { outcome: previousRow === undefined ? "new" : "changed", revision };
}

/** Returns the last revision of a deleted term (0 if it never existed) and clears the deletion marker. */
export function takeRevision(db: Db, vocabulary: string, id: string): number {
  const row = db
    .sql<{ revision: number }>("DELETE FROM life WHERE vocabulary = ? AND ext = ? RETURNING revision")
    .get(vocabulary, id);
  return row?.revision ?? 0;
}

function deleteTerm(db: Db, vocabulary: Vocabulary, id: string, now: number): void {
  const generation: Generation | undefined = currentGeneration(db, vocabulary.name);
  const previousRow = generation && findRow(generation, id);
  if (generation === undefined || previousRow === undefined) return;
  removeRow(generation, vocabulary, id);
  const state = previousRow.successor === null ? "deleted" : "replaced";
  const insert = db.sql("INSERT INTO life(vocabulary, ext, revision, state, successor) VALUES(?, ?, ?, ?, ?)");
  insert.run(vocabulary.name, id, previousRow.revision, state, previousRow.successor);
  const { revision } = previousRow;
  noteChange(db, now, { kind: "term", action: "removed", place: vocabulary.name, id, revision });
}
