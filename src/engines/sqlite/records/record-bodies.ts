import type { Db } from "../connection/database.js";
import { checksumOf } from "./checksum.js";

/** Writes the body of a new record. */
export function insertBody(db: Db, row: number, json: string, revision: number): void {
  db.sql("INSERT INTO doc(id, json, sum) VALUES(?, ?, ?)").run(row, json, checksumOf(json, revision));
}

/** Writes the body of a record that has one. */
export function updateBody(db: Db, row: number, json: string, revision: number): void {
  db.sql("UPDATE doc SET json = ?, sum = ? WHERE id = ?").run(json, checksumOf(json, revision), row);
}
