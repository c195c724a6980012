import type { RecordState, StoredRecord } from "../../core/record.js";
import type { RecordReader } from "../../ports/store.js";
import type { Db } from "./database.js";
import { reading } from "./map-error.js";

/** How `rec.state` says it. */
export const STATE_NUMBER: Readonly<Record<RecordState, 0 | 1>> = { draft: 0, published: 1 };

const COLUMNS = `SELECT rec.pid, rec.parent, rec.model, rec.state, rec.twin, rec.owner, rec.revision, doc.json
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
    lastRevision: (id) => reading(() => db.sql<number>("SELECT revision FROM taken WHERE id = ?").pluck().get(id) ?? 0),
    isTaken: (id) => reading(() => db.sql("SELECT 1 FROM taken WHERE id = ?").get(id) !== undefined),
  };
}

/** The records of rows that stand in the store, in the order asked. */
export function recordsOfRows(db: Db, rows: readonly number[]): StoredRecord[] {
  const statement = db.sql<Row>(`${COLUMNS} WHERE rec.id = ?`);
  return rows.map((id) => storedRecord(statement.get(id) as Row));
}

function storedRecord({ pid, parent, model, state, twin, owner, revision, json }: Row): StoredRecord {
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
