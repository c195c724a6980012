import { isDeepStrictEqual } from "node:util";
import type { Cache } from "../../../core/caches.js";
import type { Catalog, Model } from "../../../core/catalog/types.js";
import type { RecordBody } from "../../../core/record.js";
import {
  type Citations,
  type CitingRow,
  citationChanges,
  isLatest,
  storedCitations,
} from "../../../core/records/record-change.js";
import type { PreparedIndex } from "../../../ports/store.js";
import type { AssumedTerm, RecordLeaves } from "../../../query/index-model/leaves.js";
import type { IndexedPath } from "../../../query/index-model/record-document.js";
import { type FindCitedTerm, fixedLeaves, metadataLeaves } from "../../../query/index-model/record-leaves.js";
import { noteChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";
import {
  giveKey,
  type IndexedPaths,
  makeIndexedPaths,
  makePathDictionary,
  type PathDictionary,
} from "../documents/dictionaries.js";
import { elementRow, joinParts, type RecordRows, type RowPart, rowPart } from "../documents/record-rows.js";
import { noteReplaced, noteWords } from "../lexicon/record-words.js";
import { makeTermNow } from "../vocabulary/store/cited-terms.js";
import { termsVersion } from "../vocabulary/store/generation.js";
import { readIntactBody } from "./checksums.js";
import { STATE_NUMBER } from "./record-reader.js";
import { changeableValues, UPDATE_ROW, writeIndex } from "./record-writer.js";
import { countCitations } from "./usage-counters.js";

/** Context of writing records, for as long as the writer is open. */
export interface RecordWriting {
  readonly db: Db;
  readonly catalog: Catalog;
  readonly paths: PathDictionary;
  readonly indexedPath: IndexedPaths;
}

/** Makes the context of writing records. */
export function recordWriting(db: Db, catalog: Catalog): RecordWriting {
  return { db, catalog, paths: makePathDictionary(db), indexedPath: makeIndexedPaths(catalog) };
}

/** The index rows of metadata, or its leaves if these have a path that only a transaction can give an id. */
export type PreparedMetadata = { readonly part: RowPart } | { readonly leaves: RecordLeaves };

/** The same with the cited terms that it was made with. */
export type PreparedRecordIndex = PreparedMetadata & {
  readonly terms: readonly AssumedTerm[];
  /**
   * Version of all terms (`termsVersion`) at which the cited terms were current; undefined if one had changed already.
   */
  readonly termsAt: string | undefined;
};

/** Returns whether each term is as assumed, as the open transaction sees it. */
export function areTermsNow(terms: readonly AssumedTerm[], currentTerm: FindCitedTerm): boolean {
  return terms.every(({ vocabulary, id, term }) => {
    const current = currentTerm(vocabulary, id);
    return current === undefined || isDeepStrictEqual(current, term);
  });
}

/** Makes the index rows of metadata outside of a transaction. @param db connection, which may be that of a reader */
export function prepareIndex(
  { db, paths, indexedPath, cache }: Omit<RecordWriting, "catalog"> & { readonly cache?: Cache },
  leaves: RecordLeaves,
  terms: readonly AssumedTerm[],
): PreparedIndex {
  const pathId = (path: string): number => {
    const id = paths.findPathId(path);
    if (id === undefined) throw UNKNOWN_PATH;
    return id;
  };
  const termsAt = db.read(() => (areTermsNow(terms, makeTermNow(db, cache)) ? termsVersion(db) : undefined));
  const assumption = { terms, termsAt };
  try {
    return { part: rowPart(leaves, (path) => indexedPath(path, pathId(path))), ...assumption };
  } catch (error) {
    if (error !== UNKNOWN_PATH) throw error;
    return { leaves, ...assumption };
  }
}

const UNKNOWN_PATH = new Error("The path has no id yet.");

/**
 * Returns the model of a record.
 * @throws Error if the catalog does not have it
 */
export function requireModel({ catalog }: Pick<RecordWriting, "catalog">, name: string): Model {
  const model = catalog.models.get(name);
  if (model === undefined) throw new Error(`The catalog has no model ${name}.`);
  return model;
}

/** Content of the index for one record. */
export interface RecordIndex {
  readonly rows: RecordRows;
  readonly uses: Citations;
  readonly words: readonly string[];
}

/** Looks up the numbers of paths, and of values at a path. */
export interface IndexIds {
  pathId(path: string): number;
  keyId(path: number, value: string): number;
}

/** Uses the numbers of the open transaction, which assigns new ones. */
const assigningIds = ({ db, paths }: RecordWriting): IndexIds => ({
  pathId: paths.give,
  keyId: (path, value) => giveKey(db, path, value),
});

/** Makes the content of the index for a record. @param prepared index data of its metadata */
export function makeRecordIndex(
  writing: RecordWriting,
  body: Omit<RecordBody, "metadata">,
  prepared: PreparedMetadata,
  { pathId, keyId }: IndexIds = assigningIds(writing),
): RecordIndex {
  const pathAt = (path: string): IndexedPath => writing.indexedPath(path, pathId(path));
  const leaves = fixedLeaves(body, requireModel(writing, body.model));
  const fixed = rowPart({ leaves, elements: [], cites: [] }, pathAt);
  const part = "part" in prepared ? prepared.part : rowPart(prepared.leaves, pathAt);
  const rows = joinParts([fixed, part], keyId);
  return { rows, uses: part.uses, words: [...fixed.words, ...part.words] };
}

/** SQL for a row with placeholders in the columns that the body does not determine. */
const NEW_ROW = `INSERT INTO rec(id, pid, parent, state, other_state, latest, model, owner, created, updated, revision,
  cites, elements, vals) VALUES(?, ?, '', ?, 0, 0, '', '', 0, 0, 0, '[]', 0, x'')`;

/** SQL that writes rows only if something is wrong, because a row is long and has indexes. */
const CORRECT_KEY = "UPDATE rec SET pid = $pid, state = $state WHERE id = $row AND (pid <> $pid OR state <> $state)";
const CORRECT_OTHER_STATES = `UPDATE rec SET other_state = s.others
  FROM (SELECT count(*) - 1 AS others FROM rec WHERE pid = $pid) s WHERE pid = $pid AND other_state <> s.others`;

/**
 * Rebuilds everything that is derived from the body of a record, in the open transaction: columns, values, words,
 * citations and index. Restores a missing row of `rec`.
 * @returns false if there is no readable and intact body, or no model for it
 */
export function reindexRecord(writing: RecordWriting, row: number, now: number): boolean {
  const { db, catalog } = writing;
  const stored = db.sql<{ json: string; sum: number | null }>("SELECT json, sum FROM doc WHERE id = ?").get(row);
  const body = stored === undefined ? "nothing" : readIntactBody(stored.json, stored.sum);
  const model = typeof body === "string" ? undefined : catalog.models.get(body.model);
  if (typeof body === "string" || model === undefined) return false;

  const leaves = metadataLeaves(body.metadata, model, makeTermNow(db));
  const { rows, uses, words } = makeRecordIndex(writing, body, { leaves });
  noteWords(db, words);

  if (db.sql("SELECT 1 FROM rec WHERE id = ?").get(row) === undefined) {
    db.sql(NEW_ROW).run(row, body.id, STATE_NUMBER[body.state]);
  }
  clearIndex(db, row);
  db.sql(CORRECT_KEY).run({ pid: body.id, state: STATE_NUMBER[body.state], row });
  db.sql(UPDATE_ROW).run(...changeableValues(body, rows, uses), row);
  writeIndex(db, row, rows);
  markOtherStates(db, body.id);
  countCitations(db, citationChanges(undefined, { isLatest: isLatest(body), uses }));
  noteReindexed(db, row, body, now);
  return true;
}

/** Makes caches read the row again. */
function noteReindexed(db: Db, rec: number, { id, model: place }: RecordBody, now: number): void {
  noteChange(db, now, { kind: "record", action: "reindexed", place, id, rec });
}

/** Removes a row from the index and the citation counts, regardless of the number of elements in its row. */
export function clearIndex(db: Db, row: number): void {
  noteReplaced(db);
  db.sql("DELETE FROM rec_text WHERE id = ?").run(row);
  db.sql("DELETE FROM leaf WHERE rowid = ?").run(BigInt(row));
  const elements = db.sql<number>("SELECT id FROM elem_docsize WHERE id BETWEEN ? AND ?").pluck();
  const drop = db.sql("DELETE FROM elem WHERE rowid = ?");
  for (const id of elements.all(elementRow(row, 0), elementRow(row + 1, 0) - 1)) drop.run(BigInt(id));
  const before = db.sql<{ cites: string; latest: number }>("SELECT cites, latest FROM rec WHERE id = ?").get(row);
  if (before === undefined) return;
  const citingRow: CitingRow = { isLatest: before.latest === 1, uses: readCitations(before.cites) };
  countCitations(db, citationChanges(citingRow));
}

/** Returns the stored citations. Invalid JSON was never counted. */
function readCitations(cites: string): Citations {
  try {
    return storedCitations(cites, "");
  } catch {
    return [];
  }
}

/** Corrects the column `other_state` of both states of an id. */
function markOtherStates(db: Db, pid: string): void {
  db.sql(CORRECT_OTHER_STATES).run({ pid });
}
