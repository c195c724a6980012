import { createHash } from "node:crypto";
import type { RecordState, StoredRecord, Tombstone } from "../../../core/record.js";
import { formatInstant } from "../../../core/time.js";
import type { ImportedDocument, ImportKeeper, ImportReader } from "../../../ports/loads.js";
import type { RecordReader, VersionRow } from "../../../ports/store.js";
import { TOMBSTONE_COLUMNS, type TombstoneColumns, tombstoneRow, tombstoneValues } from "../../rows/tombstone-rows.js";
import type { Sql, SqlValue } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";

/**
 * SQL for the columns of a `StoredRecord`. The column `row` is its place in the order in which records were first
 * committed.
 */
export const COLUMNS = `SELECT rec.pid AS id, rec.parent, rec.model, rec.state, rec.owner, rec.revision, rec.json,
  EXISTS (SELECT FROM rec AS other WHERE other.pid = rec.pid AND other.state = 'published') AS "isPublished"`;

/** Makes the reader of records. */
export function makeRecordReader(sql: Sql): RecordReader {
  return {
    get: (id, state) => sql.row<StoredRecord>(`${COLUMNS} FROM rec WHERE pid = $1 AND state = $2`, [id, state]),
    getLatest: (parent) => sql.row<StoredRecord>(`${COLUMNS} FROM rec WHERE parent = $1 AND latest`, [parent]),
    listVersions: async (parent) => (await sql.rows<VersionColumns>(SELECT_VERSIONS, [parent])).map(versionRow),
    getTombstone: (id) => readTombstone(sql, id),
    publicModelOf: async (id) =>
      (await sql.row<{ readonly model: string | null }>(SELECT_PUBLIC_MODEL, [id]))?.model ?? undefined,
    lastRevision: async (id) => {
      const row = await sql.row<{ readonly revision: number }>("SELECT revision FROM taken WHERE id = $1", [id]);
      return row?.revision ?? 0;
    },
    isTaken: async (id) => (await sql.row("SELECT 1 FROM taken WHERE id = $1", [id])) !== undefined,
    countOwned: async (owner) => (await sql.row<OwnedCounts>(COUNT_OWNED, [owner]))!,
    ownedParents: async (owner, { limit, draftsOnly }) => {
      const rows = await sql.rows<{ readonly parent: string }>(SELECT_OWNED_PARENTS, [owner, draftsOnly, limit]);
      return rows.map(({ parent }) => parent);
    },
  };
}

interface OwnedCounts {
  readonly drafts: number;
  readonly published: number;
}

const COUNT_OWNED = `SELECT count(*) FILTER (WHERE state = 'draft') AS drafts,
  count(*) FILTER (WHERE state = 'published') AS published FROM rec WHERE owner = $1`;

/** In the order of the index `rec_owner`, so that the scan ends with the limit. */
const SELECT_OWNED_PARENTS = `SELECT DISTINCT parent FROM rec WHERE owner = $1
  AND NOT ($2 AND EXISTS (SELECT FROM rec AS other WHERE other.parent = rec.parent AND other.state = 'published'))
  ORDER BY parent LIMIT $3`;

const SELECT_PUBLIC_MODEL = `SELECT coalesce(
  (SELECT model FROM rec WHERE pid = $1 AND state = 'published'),
  (SELECT model FROM rec WHERE parent = $1 AND state = 'published' LIMIT 1),
  (SELECT model FROM tombstone WHERE id = $1),
  (SELECT model FROM tombstone WHERE parent = $1 ORDER BY version DESC LIMIT 1)) AS model`;

const SELECT_VERSIONS = `SELECT pid AS id, state, version, latest, created FROM rec WHERE parent = $1
  ORDER BY version, state`;

interface VersionColumns {
  readonly id: string;
  readonly state: RecordState;
  readonly version: number;
  readonly latest: boolean;
  readonly created: number;
}

function versionRow({ latest, created, ...row }: VersionColumns): VersionRow {
  return { ...row, isLatest: latest, created: formatInstant(created) };
}

/** Returns records in row order after `row`, and the row of the last one. */
export async function recordsAfter(
  sql: Sql,
  row: number,
  limit: number,
): Promise<{ readonly records: readonly StoredRecord[]; readonly last: number }> {
  const text = `${COLUMNS}, rec.row FROM rec WHERE rec.row > $1 ORDER BY rec.row LIMIT $2`;
  const rows = await sql.rows<StoredRecord & { readonly row: number }>(text, [row, limit]);
  return { records: rows.map(({ row: _row, ...record }) => record), last: rows.at(-1)?.row ?? row };
}

const SELECT_TOMBSTONE = `SELECT ${TOMBSTONE_COLUMNS} FROM tombstone WHERE id = $1 OR parent = $1
  ORDER BY version DESC LIMIT 1`;

/**
 * Returns the tombstone of an id, or the newest one under a parent. An id is never both of a record and of a parent.
 */
async function readTombstone(sql: Sql, id: string): Promise<Tombstone | undefined> {
  const row = await sql.row<TombstoneColumns>(SELECT_TOMBSTONE, [id]);
  return row && tombstoneRow(row, id);
}

/**
 * Returns a statement that marks ids as assigned for good: the counter of an id only rises, and its parent is that of
 * its last write. It writes nothing if nothing changes, so that the row of a parent is not written with each version.
 * @param rows SQL, each `(id, parent, revision)`
 */
export function raiseCounters(...rows: readonly string[]): string {
  return `INSERT INTO taken AS known (id, family, revision)
    SELECT given.* FROM (VALUES ${rows.join(", ")}) given(id, family, revision) LEFT JOIN taken USING (id)
    WHERE taken.id IS NULL OR taken.revision < given.revision OR taken.family <> given.family
    ON CONFLICT (id) DO UPDATE SET
      family = excluded.family, revision = greatest(known.revision, excluded.revision)`;
}

/** The revision of a tombstone is the last one of its id. */
const WRITE_TOMBSTONE = `WITH raised AS (${raiseCounters("($1, $2, $6::bigint)")})
  INSERT INTO tombstone(id, parent, model, owner, version, revision, removed, json)
  VALUES($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Writes a tombstone into the open transaction. */
export async function writeTombstone({ sql }: Pick<OpenTransaction, "sql">, tombstone: Tombstone): Promise<void> {
  await sql.run(WRITE_TOMBSTONE, tombstoneValues(tombstone));
}

interface ImportedRecord {
  readonly id: string;
  readonly digest: string;
}

const SELECT_IMPORTED = "SELECT pid AS id, digest FROM imported WHERE model = $1 AND owner = $2 AND key_hash = $3";
const INSERT_IMPORTED = "INSERT INTO imported(model, owner, key_hash, key, pid, digest) VALUES($1, $2, $3, $4, $5, $6)";
const REPLACE_IMPORTED = `${INSERT_IMPORTED}
  ON CONFLICT (model, owner, key_hash) DO UPDATE SET pid = excluded.pid, digest = excluded.digest`;

/** Returns the hash of a key, which is a text of a document and may be longer than entries of an index. */
export const keyHash = (key: string): string => createHash("sha256").update(key).digest("hex");

const documentKey = ({ model, owner, key }: ImportedDocument): readonly [string, number, string] => [
  model,
  Number(owner),
  keyHash(key),
];

/** Makes the reader of records that imports made. */
export function makeImportReader(sql: Sql): ImportReader {
  return { find: (document) => sql.row<ImportedRecord>(SELECT_IMPORTED, documentKey(document)) };
}

/**
 * Makes the reader and writer of the same within an open transaction: a document that was found or missing stays so
 * until it ends.
 */
export function makeImportKeeper({ sql }: OpenTransaction): ImportKeeper {
  const missing = new Set<string>();
  return {
    find: async (document) => {
      const imported = await sql.row<ImportedRecord>(`${SELECT_IMPORTED} FOR UPDATE`, documentKey(document));
      if (imported === undefined) missing.add(documentKey(document).join(" "));
      return imported;
    },
    keep: async (document, { id, digest }) => {
      const name = documentKey(document);
      const values: readonly SqlValue[] = [...name, document.key, id, digest];
      // If two transactions missed one document, the second violates the key and is run again.
      const wasMissing = missing.delete(name.join(" "));
      await sql.run(wasMissing ? INSERT_IMPORTED : REPLACE_IMPORTED, values);
    },
  };
}
