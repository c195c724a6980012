import type { RecordState, StoredRecord, Tombstone } from "../../../core/record.js";
import { formatInstant } from "../../../core/time.js";
import type { ImportKeeper, ImportReader } from "../../../ports/loads.js";
import type { RecordReader, VersionRow } from "../../../ports/store.js";
import { TOMBSTONE_COLUMNS, type TombstoneColumns, tombstoneRow, tombstoneValues } from "../../rows/tombstone-rows.js";
import type { Db } from "../connection/database.js";
import { runRead } from "../connection/map-error.js";
import { isIntact, recordDamaged } from "./checksums.js";

/** States as numbers of the column `rec.state`. */
export const STATE_NUMBER: Readonly<Record<RecordState, 0 | 1>> = { draft: 0, published: 1 };

const COLUMNS = `SELECT rec.pid, rec.parent, rec.model, rec.state, rec.other_state, rec.owner, rec.revision, doc.json,
  doc.sum FROM rec CROSS JOIN doc ON doc.id = rec.id`;

interface Row {
  readonly pid: string;
  readonly parent: string;
  readonly model: string;
  readonly state: number;
  readonly other_state: number;
  readonly owner: string;
  readonly revision: number;
  readonly json: string;
  /** See checksums.ts. */
  readonly sum: number | null;
}

/** Makes the reader of records. */
export function makeRecordReader(db: Db): RecordReader {
  return {
    get: (id, state) =>
      runRead(() => {
        const row = db.sql<Row>(`${COLUMNS} WHERE rec.pid = ? AND rec.state = ?`).get(id, STATE_NUMBER[state]);
        return row && storedRecord(row);
      }),
    getLatest: (parent) =>
      runRead(() => {
        const row = db.sql<Row>(`${COLUMNS} WHERE rec.parent = ? AND rec.latest = 1`).get(parent);
        return row && storedRecord(row);
      }),
    listVersions: (parent) => runRead(() => db.sql<VersionColumns>(VERSIONS).all(parent).map(versionRow)),
    getTombstone: (id) => runRead(() => readTombstone(db, id)),
    publicModelOf: (id) =>
      runRead(() => db.sql<string>(PUBLIC_MODEL).pluck().get(id, id) ?? readTombstone(db, id)?.body.model),
    lastRevision: (id) => runRead(() => db.sql<number>("SELECT revision FROM taken WHERE id = ?").pluck().get(id) ?? 0),
    countOwned: (owner) =>
      runRead(() => {
        const counts = new Map(db.sql<[number, number]>(OWNED).raw().all(owner) as [number, number][]);
        return { drafts: counts.get(STATE_NUMBER.draft) ?? 0, published: counts.get(STATE_NUMBER.published) ?? 0 };
      }),
    ownedParents: (owner, { limit, draftsOnly }) =>
      runRead(() =>
        db
          .sql<string>(draftsOnly ? UNPUBLISHED_PARENTS : PARENTS)
          .pluck()
          .all(owner, limit),
      ),
    isTaken: (id) => runRead(() => db.sql("SELECT 1 FROM taken WHERE id = ?").get(id) !== undefined),
  };
}

const OWNED = "SELECT state, count(*) FROM rec WHERE owner = ? GROUP BY state";
const PARENTS = "SELECT DISTINCT parent FROM rec WHERE owner = ? LIMIT ?";
const UNPUBLISHED_PARENTS = `SELECT DISTINCT parent FROM rec WHERE owner = ? AND state = 0
  AND NOT EXISTS (SELECT 1 FROM rec AS other WHERE other.parent = rec.parent AND other.state = 1) LIMIT ?`;

const PUBLIC_MODEL = `SELECT model FROM rec WHERE pid = ? AND state = 1
  UNION ALL SELECT model FROM rec WHERE parent = ? AND state = 1 LIMIT 1`;

/** The index `rec_parent` has all these columns. */
const VERSIONS = `SELECT pid, state, version, latest, created FROM rec WHERE parent = ? ORDER BY version, state`;

interface VersionColumns {
  readonly pid: string;
  readonly state: number;
  readonly version: number;
  readonly latest: number;
  readonly created: number;
}

function versionRow({ pid, state, version, latest, created }: VersionColumns): VersionRow {
  return {
    id: pid,
    state: state === 1 ? "published" : "draft",
    version,
    isLatest: latest === 1,
    created: formatInstant(created),
  };
}

/** Returns the records of existing rows, in the given order. */
export function recordsOfRows(db: Db, rows: readonly number[]): StoredRecord[] {
  const statement = db.sql<Row>(`${COLUMNS} WHERE rec.id = ?`);
  return rows.map((id) => storedRecord(statement.get(id) as Row));
}

/**
 * Returns records in row order after `row`, and the row of the last one. Damaged records are left out; a verification
 * reports them.
 */
export function recordsAfter(db: Db, row: number, limit: number): { records: readonly StoredRecord[]; last: number } {
  const sql = COLUMNS.replace("SELECT", "SELECT rec.id,");
  const rows = db.sql<Row & { id: number }>(`${sql} WHERE rec.id > ? ORDER BY rec.id LIMIT ?`).all(row, limit);
  const intact = rows.filter(({ json, revision, sum }) => isIntact(json, revision, sum));
  return { records: intact.map(storedRecord), last: rows.at(-1)?.id ?? row };
}

/** Converts a row. @throws BinderyError STORE_DAMAGED if the body is damaged */
function storedRecord({
  pid,
  parent,
  model,
  state,
  other_state: otherState,
  owner,
  revision,
  json,
  sum,
}: Row): StoredRecord {
  if (!isIntact(json, revision, sum)) throw recordDamaged(pid);
  return {
    id: pid,
    parent,
    model,
    state: state === 1 ? "published" : "draft",
    isPublished: state === 1 || otherState === 1,
    owner,
    revision,
    json,
  };
}

const SELECT = `SELECT ${TOMBSTONE_COLUMNS} FROM tombstone`;

/**
 * Returns the tombstone of an id, or the newest one under a parent. An id is never both of a record and of a parent.
 */
function readTombstone(db: Db, id: string): Tombstone | undefined {
  const row =
    db.sql<TombstoneColumns>(`${SELECT} WHERE id = ?`).get(id) ??
    db.sql<TombstoneColumns>(`${SELECT} WHERE parent = ? ORDER BY version DESC LIMIT 1`).get(id);
  return row && tombstoneRow(row, id);
}

/** Writes a tombstone into the open transaction. */
export function writeTombstone(db: Db, tombstone: Tombstone): void {
  db.sql(
    `INSERT INTO tombstone(id, parent, model, owner, version, revision, removed, json) VALUES(?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(...tombstoneValues(tombstone));
}

/** Makes the reader of records that imports made. */
export function makeImportReader(db: Db): ImportReader {
  const sql = "SELECT pid AS id, digest FROM imported WHERE model = ? AND owner = ? AND key = ?";
  return {
    find: ({ model, owner, key }) =>
      runRead(() => db.sql<{ id: string; digest: string }>(sql).get(model, Number(owner), key)),
  };
}

/** Makes the reader and writer of the same within the open transaction. */
export function makeImportKeeper(db: Db): ImportKeeper {
  return {
    ...makeImportReader(db),
    keep: async ({ model, owner, key }, { id, digest }) => {
      db.sql("INSERT OR REPLACE INTO imported(model, owner, key, pid, digest) VALUES(?, ?, ?, ?, ?)").run(
        model,
        Number(owner),
        key,
        id,
        digest,
      );
    },
  };
}
