import { fail } from "../../core/errors.js";
import { requireUser } from "../../core/may.js";
import type { AccountServices } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";
import { revokeWithin } from "./revoke-within.js";

/**
 * Makes a token of the caller's useless from now on, also the one that asks, and those that were made by it. Again
 * changes nothing.
 */
export function makeRevokeOwnToken({ runWrite }: Deps): AccountServices["revokeOwnToken"] {
  return async (actor, id) => {
    const user = requireUser(actor);
    await runWrite({ actor }, async (tx, note) => {
      const token = await tx.users.getToken(id);
      if (token?.user !== user.user) throw fail("TOKEN_NOT_FOUND", { id });
      await revokeWithin(tx, note, token);
    });
  };
}
