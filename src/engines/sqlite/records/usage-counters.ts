import type { CitationChange } from "../../../core/records/record-change.js";
import type { DraftUsage } from "../../../ports/store.js";
import { LARGEST_USERS, type LargestUser } from "../../../ports/store-admin.js";
import { lastChange } from "../connection/change-table.js";
import type { Db } from "../connection/database.js";

/** Adds to the draft usage of an owner (by id), in the open transaction. */
export function countDrafts(db: Db, owner: string, { drafts, bytes }: DraftUsage): void {
  if (drafts === 0 && bytes === 0) return;
  db.sql(
    `INSERT INTO draft_usage(owner, drafts, bytes) VALUES(?, ?, ?)
      ON CONFLICT DO UPDATE SET drafts = drafts + excluded.drafts, bytes = bytes + excluded.bytes`,
  ).run(owner, drafts, bytes);
}

/** Updates the draft usage after the body or the owner of a draft changed. */
export function recountDraft(
  db: Db,
  previous: { readonly owner: string; readonly bytes: number },
  current: { readonly owner: string; readonly bytes: number },
): void {
  if (previous.owner === current.owner) {
    countDrafts(db, current.owner, { drafts: 0, bytes: current.bytes - previous.bytes });
  } else {
    countDrafts(db, previous.owner, { drafts: -1, bytes: -previous.bytes });
    countDrafts(db, current.owner, { drafts: 1, bytes: current.bytes });
  }
}

/** Returns the draft usage of an owner (by id). */
export function readDraftUsage(db: Db, owner: string): DraftUsage {
  const row = db.sql<DraftUsage>("SELECT drafts, bytes FROM draft_usage WHERE owner = ?").get(owner);
  return row ?? { drafts: 0, bytes: 0 };
}

/** Returns the users with the largest drafts, the largest first. */
export function largestUsers(db: Db): LargestUser[] {
  return db
    .sql<LargestUser>(
      `SELECT coalesce(user.name, 'user ' || owner) AS user, drafts, bytes FROM draft_usage
        LEFT JOIN user ON user.id = CAST(draft_usage.owner AS INTEGER)
        WHERE drafts > 0 ORDER BY bytes DESC, drafts DESC, user.name LIMIT ?`,
    )
    .all(LARGEST_USERS);
}

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
