import type { RecordState, StoredRecord } from "../../../core/record.js";
import { formatInstant } from "../../../core/time.js";
import type { RecordReader, VersionRow } from "../../../ports/store.js";
import type { Sql } from "../connection/sql.js";
import { readTombstone } from "./tombstones.js";

/** Of a `StoredRecord`; `row` beside them: its place in the order in which records were first committed. */
export const COLUMNS = `SELECT rec.pid AS id, rec.parent, rec.model, rec.state, rec.owner, rec.revision, rec.json,
  EXISTS (SELECT FROM rec AS other WHERE other.pid = rec.pid AND other.state = 'published') AS "isPublished"`;

export function makeRecordReader(sql: Sql): RecordReader {
  return {
    get: (id, state) => sql.row<StoredRecord>(`${COLUMNS} FROM rec WHERE pid = $1 AND state = $2`, [id, state]),
    latestOf: (parent) => sql.row<StoredRecord>(`${COLUMNS} FROM rec WHERE parent = $1 AND latest`, [parent]),
    versionsOf: async (parent) => (await sql.rows<VersionColumns>(VERSIONS, [parent])).map(versionRow),
    tombstoneOf: (id) => readTombstone(sql, id),
    publicModelOf: async (id) =>
      (await sql.row<{ readonly model: string | null }>(PUBLIC_MODEL, [id]))?.model ?? undefined,
    lastRevision: async (id) => {
      const row = await sql.row<{ readonly revision: number }>("SELECT revision FROM taken WHERE id = $1", [id]);
      return row?.revision ?? 0;
    },
    isTaken: async (id) => (await sql.row("SELECT 1 FROM taken WHERE id = $1", [id])) !== undefined,
    countOwned: async (owner) => (await sql.row<OwnedCounts>(OWNED, [owner]))!,
    ownedParents: async (owner, { limit, draftsOnly }) => {
      const rows = await sql.rows<{ readonly parent: string }>(OWNED_PARENTS, [owner, draftsOnly, limit]);
      return rows.map(({ parent }) => parent);
    },
  };
}

interface OwnedCounts {
  readonly drafts: number;
  readonly published: number;
}

const OWNED = `SELECT count(*) FILTER (WHERE state = 'draft') AS drafts,
  count(*) FILTER (WHERE state = 'published') AS published FROM rec WHERE owner = $1`;

/** In the order of the index `rec_owner`, so that it ends with the last of those that are asked for. */
const OWNED_PARENTS = `SELECT DISTINCT parent FROM rec WHERE owner = $1
  AND NOT ($2 AND EXISTS (SELECT FROM rec AS other WHERE other.parent = rec.parent AND other.state = 'published'))
  ORDER BY parent LIMIT $3`;

const PUBLIC_MODEL = `SELECT coalesce(
  (SELECT model FROM rec WHERE pid = $1 AND state = 'published'),
  (SELECT model FROM rec WHERE parent = $1 AND state = 'published' LIMIT 1),
  (SELECT model FROM tombstone WHERE id = $1),
  (SELECT model FROM tombstone WHERE parent = $1 ORDER BY version DESC LIMIT 1)) AS model`;

const VERSIONS = `SELECT pid AS id, state, version, latest, created FROM rec WHERE parent = $1 ORDER BY version, state`;

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

/** Some records in the order of their rows, beyond `row`, and the row of the last of them. */
export async function recordsAfter(
  sql: Sql,
  row: number,
  limit: number,
): Promise<{ readonly records: readonly StoredRecord[]; readonly last: number }> {
  const text = `${COLUMNS}, rec.row FROM rec WHERE rec.row > $1 ORDER BY rec.row LIMIT $2`;
  const rows = await sql.rows<StoredRecord & { readonly row: number }>(text, [row, limit]);
  return { records: rows.map(({ row: _row, ...record }) => record), last: rows.at(-1)?.row ?? row };
}
