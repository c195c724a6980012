import type { RecordState, StoredRecord } from "../../../core/record.js";
import { formatInstant } from "../../../core/time.js";
import type { RecordReader, VersionRow } from "../../../ports/store.js";
import type { Db } from "../connection/database.js";
import { reading } from "../connection/map-error.js";
import { isIntact, recordDamaged } from "./checksum.js";
import { readTombstone } from "./tombstones.js";

/** How `rec.state` says it. */
export const STATE_NUMBER: Readonly<Record<RecordState, 0 | 1>> = { draft: 0, published: 1 };

const COLUMNS = `SELECT rec.pid, rec.parent, rec.model, rec.state, rec.twin, rec.owner, rec.revision, doc.json, doc.sum
  FROM rec CROSS JOIN doc ON doc.id = rec.id`;

interface Row {
  readonly pid: string;
  readonly parent: string;
  readonly model: string;
  readonly state: number;
  readonly twin: number;
  readonly owner: string;
  readonly revision: number;
  readonly json: string;
  /** See checksum.ts. */
  readonly sum: number | null;
}

export function makeRecordReader(db: Db): RecordReader {
  return {
    get: (id, state) =>
      reading(() => {
        const row = db.sql<Row>(`${COLUMNS} WHERE rec.pid = ? AND rec.state = ?`).get(id, STATE_NUMBER[state]);
        return row && storedRecord(row);
      }),
    latestOf: (parent) =>
      reading(() => {
        const row = db.sql<Row>(`${COLUMNS} WHERE rec.parent = ? AND rec.latest = 1`).get(parent);
        return row && storedRecord(row);
      }),
    versionsOf: (parent) => reading(() => db.sql<VersionColumns>(VERSIONS).all(parent).map(versionRow)),
    tombstoneOf: (id) => reading(() => readTombstone(db, id)),
    publicModelOf: (id) =>
      reading(() => db.sql<string>(PUBLIC_MODEL).pluck().get(id, id) ?? readTombstone(db, id)?.body.model),
    lastRevision: (id) => reading(() => db.sql<number>("SELECT revision FROM taken WHERE id = ?").pluck().get(id) ?? 0),
    countOwned: (owner) =>
      reading(() => {
        const counts = new Map(db.sql<[number, number]>(OWNED).raw().all(owner) as [number, number][]);
        return { drafts: counts.get(STATE_NUMBER.draft) ?? 0, published: counts.get(STATE_NUMBER.published) ?? 0 };
      }),
    ownedParents: (owner, { limit, draftsOnly }) =>
      reading(() =>
        db
          .sql<string>(draftsOnly ? UNPUBLISHED_PARENTS : PARENTS)
          .pluck()
          .all(owner, limit),
      ),
    isTaken: (id) => reading(() => db.sql("SELECT 1 FROM taken WHERE id = ?").get(id) !== undefined),
  };
}

const OWNED = "SELECT state, count(*) FROM rec WHERE owner = ? GROUP BY state";
const PARENTS = "SELECT DISTINCT parent FROM rec WHERE owner = ? LIMIT ?";
const UNPUBLISHED_PARENTS = `SELECT DISTINCT parent FROM rec WHERE owner = ? AND state = 0
  AND NOT EXISTS (SELECT 1 FROM rec AS other WHERE other.parent = rec.parent AND other.state = 1) LIMIT ?`;

const PUBLIC_MODEL = `SELECT model FROM rec WHERE pid = ? AND state = 1
  UNION ALL SELECT model FROM rec WHERE parent = ? AND state = 1 LIMIT 1`;

/** All of it stands in the index `rec_parent`. */
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

/** The records of rows that stand in the store, in the order asked. */
export function recordsOfRows(db: Db, rows: readonly number[]): StoredRecord[] {
  const statement = db.sql<Row>(`${COLUMNS} WHERE rec.id = ?`);
  return rows.map((id) => storedRecord(statement.get(id) as Row));
}

/**
 * Some records in the order of their rows, beyond `row`, and the row of the last of them. Those that are damaged are
 * left out: a verification names them.
 */
export function recordsAfter(db: Db, row: number, limit: number): { records: readonly StoredRecord[]; last: number } {
  const sql = COLUMNS.replace("SELECT", "SELECT rec.id,");
  const rows = db.sql<Row & { id: number }>(`${sql} WHERE rec.id > ? ORDER BY rec.id LIMIT ?`).all(row, limit);
  const intact = rows.filter(({ json, revision, sum }) => isIntact(json, revision, sum));
  return { records: intact.map(storedRecord), last: rows.at(-1)?.id ?? row };
}

/** @throws BinderyError STORE_DAMAGED where the body is not what was written */
function storedRecord({ pid, parent, model, state, twin, owner, revision, json, sum }: Row): StoredRecord {
  if (!isIntact(json, revision, sum)) throw recordDamaged(pid);
  return {
    id: pid,
    parent,
    model,
    state: state === 1 ? "published" : "draft",
    isPublished: state === 1 || twin === 1,
    owner,
    revision,
    json,
  };
}
