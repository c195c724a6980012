import type { Db } from "../connection/database.js";

/** An id is taken for ever; its counter only rises. */
export function raiseCounter(db: Db, id: string, least: number): void {
  const sql = `INSERT INTO taken(id, revision) VALUES(?, ?)
    ON CONFLICT DO UPDATE SET revision = excluded.revision WHERE revision < excluded.revision`;
  db.sql(sql).run(id, least);
}
