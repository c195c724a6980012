import type { Db } from "../connection/database.js";

/** A row of `rec` with its body's text. */
export interface RecordRow {
  readonly [column: string]: unknown;
  readonly id: number;
  readonly pid: string;
  readonly parent: string;
  readonly state: number;
  readonly twin: number;
  readonly latest: number;
  readonly model: string;
  readonly revision: number;
  readonly elements: number;
  readonly cites: string;
  readonly vals: Buffer;
  readonly texts: Buffer;
  /** null: there is none. */
  readonly json: string | null;
  /** See checksum.ts. null: there is none yet. */
  readonly sum: number | null;
}

/** All records, by row. */
export function recordsIn(db: Db): IterableIterator<RecordRow> {
  const sql = "SELECT rec.*, doc.json, doc.sum FROM rec LEFT JOIN doc ON doc.id = rec.id ORDER BY rec.id";
  return db.raw.prepare<[], RecordRow>(sql).iterate();
}

export const countRecords = (db: Db): number => db.sql<number>("SELECT count(*) FROM rec").pluck().get() ?? 0;

/** Number above all rows of records. */
export const endOfRecords = (db: Db): number => (db.sql<number>("SELECT max(id) FROM rec").pluck().get() ?? 0) + 1;
