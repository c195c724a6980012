import { isDeepStrictEqual } from "node:util";
import type { Catalog, Model } from "../../../core/catalog/types.js";
import type { RecordBody } from "../../../core/record.js";
import type { Citations } from "../../../core/records/record-change.js";
import type { PreparedIndex } from "../../../ports/store.js";
import type { AssumedTerm, RecordLeaves } from "../../../query/index-model/leaves.js";
import type { IndexedPath } from "../../../query/index-model/record-document.js";
import { fixedLeaves, type TermOf } from "../../../query/index-model/record-leaves.js";
import type { LruCache } from "../cache/lru-cache.js";
import type { Db } from "../connection/database.js";
import { giveKey } from "../documents/give-key.js";
import {
  type IndexedPaths,
  makeIndexedPaths,
  makePathDictionary,
  type PathDictionary,
} from "../documents/path-dictionary.js";
import { joinParts, type RecordRows, type RowPart, rowPart } from "../documents/record-rows.js";
import { termsVersion } from "../vocabulary/store/generation.js";
import { makeTermNow } from "../vocabulary/store/term-now.js";

/** What writing records needs for as long as the writer is open. */
export interface RecordWriting {
  readonly db: Db;
  readonly catalog: Catalog;
  readonly paths: PathDictionary;
  readonly indexedPath: IndexedPaths;
}

export function recordWriting(db: Db, catalog: Catalog): RecordWriting {
  return { db, catalog, paths: makePathDictionary(db), indexedPath: makeIndexedPaths(catalog) };
}

/** Its rows, or its leaves where these have a path that only a transaction can give an id. */
export type Indexed = { readonly part: RowPart } | { readonly leaves: RecordLeaves };

/** The same with the cited terms that it was made with. */
export type Prepared = Indexed & {
  readonly terms: readonly AssumedTerm[];
  /** The terms were these at this version of all (`termsVersion`); absent: others already. */
  readonly termsAt?: string;
};

/** Is each term what it was assumed to be, as the open transaction sees it? */
export function areTermsNow(terms: readonly AssumedTerm[], termNow: TermOf): boolean {
  return terms.every(({ vocabulary, id, term }) => {
    const now = termNow(vocabulary, id);
    return now === undefined || isDeepStrictEqual(now, term);
  });
}

/** Makes the rows of metadata outside of a transaction. @param writing its `db` may be that of a reader */
export function prepareIndex(
  { db, paths, indexedPath, cache }: Omit<RecordWriting, "catalog"> & { readonly cache?: LruCache },
  leaves: RecordLeaves,
  terms: readonly AssumedTerm[],
): PreparedIndex {
  const known = (path: string): number => {
    const id = paths.idOf(path);
    if (id === undefined) throw UNKNOWN_PATH;
    return id;
  };
  const termsAt = db.read(() => (areTermsNow(terms, makeTermNow(db, cache)) ? termsVersion(db) : undefined));
  const assumed = { terms, ...(termsAt === undefined ? {} : { termsAt }) };
  try {
    return { part: rowPart(leaves, (path) => indexedPath(path, known(path))), ...assumed };
  } catch (error) {
    if (error !== UNKNOWN_PATH) throw error;
    return { leaves, ...assumed };
  }
}

const UNKNOWN_PATH = new Error("The path has no id yet.");

export function modelOf({ catalog }: Pick<RecordWriting, "catalog">, name: string): Model {
  const model = catalog.models.get(name);
  if (model === undefined) throw new Error(`The catalog has no model ${name}.`);
  return model;
}

/** What a record has in the index. */
export interface RecordIndex {
  readonly rows: RecordRows;
  readonly uses: Citations;
  readonly words: readonly string[];
}

/** Numbers that stand in the index for paths, and for values at a path. */
export interface IndexIds {
  pathId(path: string): number;
  keyId(path: number, value: string): number;
}

/** Those of the open transaction, which gives numbers to what has none. */
const givenIds = ({ db, paths }: RecordWriting): IndexIds => ({
  pathId: paths.give,
  keyId: (path, value) => giveKey(db, path, value),
});

/** Makes what a record has in the index. @param prepared of its metadata */
export function indexOf(
  writing: RecordWriting,
  body: Omit<RecordBody, "metadata">,
  prepared: Indexed,
  { pathId, keyId }: IndexIds = givenIds(writing),
): RecordIndex {
  const pathAt = (path: string): IndexedPath => writing.indexedPath(path, pathId(path));
  const leaves = fixedLeaves(body, modelOf(writing, body.model));
  const fixed = rowPart({ leaves, elements: [], cites: [] }, pathAt);
  const part = "part" in prepared ? prepared.part : rowPart(prepared.leaves, pathAt);
  const rows = joinParts([fixed, part], keyId);
  return { rows, uses: part.uses, words: [...fixed.words, ...part.words] };
}
