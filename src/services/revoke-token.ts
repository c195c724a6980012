import { OPERATOR } from "../core/actor.js";
import type { Deps } from "./deps.js";
import { badParameter } from "./issues.js";
import type { OperatorServices } from "./services.js";

/** Makes a token useless from now on. Again changes nothing. */
export function makeRevokeToken({ runWrite }: Deps): OperatorServices["revokeToken"] {
  return async (id) => {
    const isKnown = await runWrite({ actor: OPERATOR }, async (tx, note) => {
      if (!(await tx.users.revokeToken(id))) return false;
      await note({ action: "token.revoke", kind: "token", id });
      return true;
    });
    if (!isKnown) throw badParameter("id", `There is no token with the id ${id}; \`token list\` shows the ids.`, id);
  };
}
