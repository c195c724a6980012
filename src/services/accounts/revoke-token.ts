import { OPERATOR } from "../../core/actor.js";
import type { AccountOperatorServices } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";
import { badParameter } from "../input/issues.js";
import { revokeWithin } from "./revoke-within.js";

/** Makes a token useless from now on, and those that were made by it. Again changes nothing. */
export function makeRevokeToken({ runWrite }: Deps): AccountOperatorServices["revokeToken"] {
  return async (id) => {
    return runWrite({ actor: OPERATOR }, async (tx, note) => {
      const token = await tx.users.getToken(id);
      if (token === undefined) {
        throw badParameter("id", `There is no token with the id ${id}; \`token list\` shows the ids.`, id);
      }
      return revokeWithin(tx, note, token);
    });
  };
}
