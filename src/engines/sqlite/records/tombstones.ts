import { parseInstant } from "../../../core/time.js";
import type { Tombstone, TombstoneBody } from "../../../core/tombstone.js";
import type { Db } from "../connection/database.js";

interface Row {
  readonly parent: string;
  readonly owner: string;
  readonly version: number;
  readonly revision: number;
  readonly json: string;
}

const COLUMNS = "SELECT parent, owner, version, revision, json FROM tombstone";

/** The tombstone of an id; of a parent the newest one under it. No id is that of a record and of a parent. */
export function readTombstone(db: Db, id: string): Tombstone | undefined {
  const row =
    db.sql<Row>(`${COLUMNS} WHERE id = ?`).get(id) ??
    db.sql<Row>(`${COLUMNS} WHERE parent = ? ORDER BY version DESC LIMIT 1`).get(id);
  if (row === undefined) return undefined;
  const { json, ...kept } = row;
  return { ...kept, body: JSON.parse(json) as TombstoneBody };
}

/** Writes a tombstone into the open transaction. */
export function writeTombstone(db: Db, { parent, owner, version, revision, body }: Tombstone): void {
  db.sql(
    `INSERT INTO tombstone(id, parent, model, owner, version, revision, removed, json) VALUES(?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(body.id, parent, body.model, owner, version, revision, parseInstant(body.removed), JSON.stringify(body));
}
