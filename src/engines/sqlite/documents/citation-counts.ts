import type { CitationChange } from "../../../core/records/record-change.js";
import { lastChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";

/**
 * Counts citations in the table `use`: `n` are latest published records and `drafts` all others; `seq` is the last
 * change before the one that this belongs to.
 */
export function countCitations(db: Db, changes: readonly CitationChange[]): void {
  const statement = db.sql(
    `INSERT INTO use(vocabulary, ext, n, drafts, seq) VALUES(?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET n = n + excluded.n, drafts = drafts + excluded.drafts, seq = excluded.seq`,
  );
  const seq = lastChange(db);
  for (const { vocabulary, id, latest, others } of changes) statement.run(vocabulary, id, latest, others, seq);
}
