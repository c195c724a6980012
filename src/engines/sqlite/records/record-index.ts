import { isDeepStrictEqual } from "node:util";
import type { Cache } from "../../../core/caches.js";
import type { Catalog, Model } from "../../../core/catalog/types.js";
import type { RecordBody } from "../../../core/record.js";
import type { Citations } from "../../../core/records/record-change.js";
import type { PreparedIndex } from "../../../ports/store.js";
import type { AssumedTerm, RecordLeaves } from "../../../query/index-model/leaves.js";
import type { IndexedPath } from "../../../query/index-model/record-document.js";
import { type FindCitedTerm, fixedLeaves } from "../../../query/index-model/record-leaves.js";
import type { Db } from "../connection/database.js";
import {
  giveKey,
  type IndexedPaths,
  makeIndexedPaths,
  makePathDictionary,
  type PathDictionary,
} from "../documents/dictionaries.js";
import { joinParts, type RecordRows, type RowPart, rowPart } from "../documents/record-rows.js";
import { makeTermNow } from "../vocabulary/store/cited-terms.js";
import { termsVersion } from "../vocabulary/store/generation.js";

/** Context of writing records, for as long as the writer is open. */
export interface RecordWriting {
  readonly db: Db;
  readonly catalog: Catalog;
  readonly paths: PathDictionary;
  readonly indexedPath: IndexedPaths;
}

export function recordWriting(db: Db, catalog: Catalog): RecordWriting {
  return { db, catalog, paths: makePathDictionary(db), indexedPath: makeIndexedPaths(catalog) };
}

/** The index rows of metadata, or its leaves if these have a path that only a transaction can give an id. */
export type PreparedMetadata = { readonly part: RowPart } | { readonly leaves: RecordLeaves };

/** The same with the cited terms that it was made with. */
export type PreparedRecord = PreparedMetadata & {
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

/** Makes the index rows of metadata outside of a transaction. @param writing its `db` may be that of a reader */
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
