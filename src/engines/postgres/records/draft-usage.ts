import type { DraftUsage } from "../../../ports/store.js";
import { LARGEST_USERS, type LargestUser } from "../../../ports/store-admin.js";
import type { Sql } from "../connection/sql.js";
import type { OpenTransaction } from "../connection/write-transaction.js";

const USAGE = "SELECT drafts, bytes FROM draft_usage WHERE owner = $1";

/**
 * Reads the draft usage of an owner (by id), including the open transaction.
 * @param isExact takes a lock of the owner first; without it, deposits of one user do not wait for each other
 */
export async function readDraftUsage(tx: OpenTransaction, owner: string, isExact: boolean): Promise<DraftUsage> {
  if (isExact) await tx.locks.take("quota", owner);
  const { drafts, bytes } = (await tx.sql.row<DraftUsage>(USAGE, [owner])) ?? { drafts: 0, bytes: 0 };
  const own = tx.draftsOf(owner);
  return { drafts: drafts + own.drafts, bytes: bytes + own.bytes };
}

const LARGEST = `SELECT coalesce(u.name, 'user ' || d.owner) AS "user", d.drafts, d.bytes FROM draft_usage d
  LEFT JOIN "user" u ON u.id::text = d.owner
  WHERE d.drafts > 0 ORDER BY d.bytes DESC, d.drafts DESC, u.name LIMIT $1`;

/** Returns the users with the largest drafts, the largest first. */
export const largestUsers = (sql: Sql): Promise<readonly LargestUser[]> =>
  sql.rows<LargestUser>(LARGEST, [LARGEST_USERS]);
