import { fail } from "../core/errors.js";
import { requireUser } from "../core/may.js";
import type { Deps } from "./deps.js";
import type { WriteServices } from "./services.js";

/** Makes a token of the caller's useless from now on, also the one that asks. Again changes nothing. */
export function makeRevokeOwnToken({ runWrite }: Deps): WriteServices["revokeOwnToken"] {
  return async (actor, id) => {
    const user = requireUser(actor);
    await runWrite({ actor }, async (tx, note) => {
      const token = (await tx.users.listTokens(user.user)).find((each) => each.id === id);
      if (token === undefined) throw fail("TOKEN_NOT_FOUND", { id });
      if (token.revoked !== undefined) return;
      await tx.users.revokeToken(id);
      await note({ action: "token.revoke", kind: "token", id, whom: user.user });
    });
  };
}
