import type { Tombstone } from "../../../core/tombstone.js";
import { TOMBSTONE_COLUMNS, type TombstoneColumns, tombstoneRow, tombstoneValues } from "../../rows/tombstone-rows.js";
import type { Db } from "../connection/database.js";

const SELECT = `SELECT ${TOMBSTONE_COLUMNS} FROM tombstone`;

/** The tombstone of an id; of a parent the newest one under it. No id is that of a record and of a parent. */
export function readTombstone(db: Db, id: string): Tombstone | undefined {
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
