import type { Db } from "../../connection/database.js";

/** Notes in the open transaction that a term changed, if anything cites it. */
export function noteStale(db: Db, vocabulary: string, ext: string): void {
  const sql = `INSERT OR REPLACE INTO stale_term(vocabulary, ext)
    SELECT vocabulary, ext FROM use WHERE vocabulary = ? AND ext = ? AND n + drafts > 0`;
  db.sql(sql).run(vocabulary, ext);
}

/** Terms that changed, whose citers do not follow yet. */
export const staleTerms = (db: Db): number => db.sql<number>("SELECT count(*) FROM stale_term").pluck().get() ?? 0;
