import type { RecordLeaves } from "../../../query/index-model/leaves.js";
import { lastChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";

/** Terms that a record cites, as (vocabulary, id), each once. */
export type Citations = readonly (readonly [vocabulary: string, id: string])[];

/** The terms that a record's leaves cite. */
export function citedIn({ cites }: Pick<RecordLeaves, "cites">): Citations {
  return [...new Map(cites.map(({ vocabulary, id }) => [`${vocabulary}/${id}`, [vocabulary, id] as const])).values()];
}

/**
 * Counts a record's citations in the table `use`: `n` are latest published records, by which terms are ranked, and
 * `drafts` all others; `seq` is the last change before the one that this belongs to.
 * @param sign 1 for a record that cites them now, -1 for one that did
 */
export function countCitations(db: Db, uses: Citations | undefined, latest: boolean, sign: 1 | -1): void {
  const statement = db.sql(
    `INSERT INTO use(vocabulary, ext, n, drafts, seq) VALUES(?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET n = n + excluded.n, drafts = drafts + excluded.drafts, seq = excluded.seq`,
  );
  const seq = lastChange(db);
  for (const [vocabulary, id] of uses ?? []) statement.run(vocabulary, id, latest ? sign : 0, latest ? 0 : sign, seq);
}
