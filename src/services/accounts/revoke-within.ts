import type { AuditEntry } from "../../core/audit-entry.js";
import type { TokenRow, WriteTransaction } from "../../ports/store.js";

/**
 * Revokes a token and all that were made by it within a transaction, each with its line of the audit log.
 * @returns how many were revoked that were not yet
 */
export async function revokeWithin(
  tx: WriteTransaction,
  note: (entry: AuditEntry) => Promise<void>,
  { id, user }: Pick<TokenRow, "id" | "user">,
): Promise<number> {
  const revoked = (await tx.users.revokeToken(id)) ?? [];
  for (const each of revoked) {
    await note({ action: "token.revoke", kind: "token", id: each, whom: user });
  }
  return revoked.length;
}
