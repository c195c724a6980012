import type { Tombstone } from "../../../core/tombstone.js";
import { TOMBSTONE_COLUMNS, type TombstoneColumns, tombstoneRow, tombstoneValues } from "../../rows/tombstone-rows.js";
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";
import { raising } from "./taken-ids.js";

const SELECT = `SELECT ${TOMBSTONE_COLUMNS} FROM tombstone WHERE id = $1 OR parent = $1 ORDER BY version DESC LIMIT 1`;

/** The tombstone of an id; of a parent the newest one under it. No id is that of a record and of a parent. */
export async function readTombstone(sql: Sql, id: string): Promise<Tombstone | undefined> {
  const row = await sql.row<TombstoneColumns>(SELECT, [id]);
  return row && tombstoneRow(row, id);
}

/** Its revision is the last that the id ever has. */
const WRITE = `WITH raised AS (${raising("($1, $2, $6::bigint)")})
  INSERT INTO tombstone(id, parent, model, owner, version, revision, removed, json)
  VALUES($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Writes a tombstone into the open transaction. */
export async function writeTombstone({ sql }: Pick<OpenTransaction, "sql">, tombstone: Tombstone): Promise<void> {
  await sql.run(WRITE, tombstoneValues(tombstone));
}
