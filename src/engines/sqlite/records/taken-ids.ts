import type { Db } from "../connection/database.js";

/** An id is taken for ever; its counter only rises. @returns whether anything was written */
export function raiseCounter(db: Db, id: string, least: number): boolean {
  const sql = `INSERT INTO taken(id, revision) VALUES(?, ?)
    ON CONFLICT DO UPDATE SET revision = excluded.revision WHERE revision < excluded.revision`;
  return db.sql(sql).run(id, least).changes > 0;
}
