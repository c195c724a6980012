import { OPERATOR } from "../../core/actor.js";
import type { AccountOperatorServices } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";
import { findUser } from "./find-user.js";

/** Makes all tokens of a user, or of everybody, useless from now on. */
export function makeRevokeTokens({ runWrite }: Deps): AccountOperatorServices["revokeTokens"] {
  return (name) =>
    runWrite({ actor: OPERATOR }, async (tx, note) => {
      const user = name === undefined ? undefined : await findUser(tx.users, name, "user");
      const revoked = await tx.users.revokeTokens(user?.id);
      for (const token of revoked) {
        await note({ action: "token.revoke", kind: "token", id: token.id, whom: token.user });
      }
      return revoked.length;
    });
}
