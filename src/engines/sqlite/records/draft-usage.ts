import type { DraftUsage } from "../../../ports/store.js";
import { LARGEST_USERS, type LargestUser } from "../../../ports/store-admin.js";
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
  before: { readonly owner: string; readonly bytes: number },
  after: { readonly owner: string; readonly bytes: number },
): void {
  if (before.owner === after.owner) {
    countDrafts(db, after.owner, { drafts: 0, bytes: after.bytes - before.bytes });
  } else {
    countDrafts(db, before.owner, { drafts: -1, bytes: -before.bytes });
    countDrafts(db, after.owner, { drafts: 1, bytes: after.bytes });
  }
}

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
