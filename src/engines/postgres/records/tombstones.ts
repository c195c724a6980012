import { parseInstant } from "../../../core/time.js";
import type { Tombstone, TombstoneBody } from "../../../core/tombstone.js";
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";
import { raising } from "./taken-ids.js";

interface Row {
  readonly parent: string;
  readonly owner: string;
  readonly version: number;
  readonly revision: number;
  readonly json: string;
}

/** The tombstone of an id; of a parent the newest one under it. No id is that of a record and of a parent. */
export async function readTombstone(sql: Sql, id: string): Promise<Tombstone | undefined> {
  const row = await sql.row<Row>(
    `SELECT parent, owner, version, revision, json FROM tombstone
      WHERE id = $1 OR parent = $1 ORDER BY version DESC LIMIT 1`,
    [id],
  );
  if (row === undefined) return undefined;
  const { json, ...kept } = row;
  return { ...kept, body: JSON.parse(json) as TombstoneBody };
}

/** Its revision is the last that the id ever has. */
const WRITE = `WITH raised AS (${raising("($1, $2, $6::bigint)")})
  INSERT INTO tombstone(id, parent, model, owner, version, revision, removed, json)
  VALUES($1, $2, $3, $4, $5, $6, $7, $8)`;

/** Writes a tombstone into the open transaction. */
export async function writeTombstone(
  { sql }: Pick<OpenTransaction, "sql">,
  { parent, owner, version, revision, body }: Tombstone,
): Promise<void> {
  await sql.run(WRITE, [
    ...[body.id, parent, body.model, owner, version, revision, parseInstant(body.removed)],
    JSON.stringify(body),
  ]);
}
