import { OPERATOR, SCOPES } from "../../core/actor.js";
import { fail } from "../../core/errors.js";
import type { AccountOperatorServices } from "../api/account-services.js";
import type { Deps } from "../context/deps.js";
import { userByName } from "../context/user-names.js";
import { badParameter } from "../input/issues.js";
import { isName, NAME_RULE } from "../input/names.js";
import { issueToken } from "./issue-token.js";
import { readExpiry } from "./read-expiry.js";

/** Makes a token of a user's. What it returns is the only time that the token itself is seen. */
export function makeCreateToken({ runWrite, clock, random }: Deps): AccountOperatorServices["createToken"] {
  return async ({ user: userName, name = userName, scopes, expires }) => {
    if (scopes.length === 0)
      throw badParameter("scope", `A token needs at least one scope: ${SCOPES.join(", ")}.`, [], SCOPES);
    const unknown = scopes.find((scope) => !SCOPES.includes(scope));
    if (unknown !== undefined) {
      throw badParameter("scope", `A scope must be one of ${SCOPES.join(", ")}.`, unknown, SCOPES);
    }
    if (!isName(name)) throw badParameter("name", NAME_RULE, name);
    const end = expires === undefined ? undefined : readExpiry(expires, clock.nowMicros());
    if (typeof end === "object") throw fail("PARAMETER_INVALID", { issues: [end] });
    return runWrite({ actor: OPERATOR }, async (tx, note) => {
      const user = await userByName(tx.users, userName);
      if (user === undefined) throw badParameter("user", `There is no user ${userName}; add the user first.`, userName);
      if (user.disabled !== undefined) {
        throw badParameter("user", `${userName} is disabled; \`user enable ${userName}\` first.`, userName);
      }
      return issueToken(random, tx, note, { user: user.id, name, scopes, ...(end === undefined ? {} : { end }) });
    });
  };
}
